package sim

import (
	"slices"

	"godot-mcp/evals/evidence"
)

// mostSteps bounds the undoing at the end of a trial, for each scene.
const mostSteps = 100

// undo takes the agent's edits back as a person would, in every open scene as
// long as the newest step is the agent's, and notes what is left then.
func (w *scenery) undo(ev *evidence.Evidence) error {
	for _, tab := range slices.Clone(w.editor.State().Tabs) {
		if tab.Path == "" {
			continue
		}
		if err := w.editor.Human().Tab(tab.Path); err != nil {
			return err
		}
		for range mostSteps {
			s := w.editor.State()
			newest := s.Tabs[s.Active].History.NextUndo()
			if newest == nil || !newest.Ours() {
				break
			}
			if err := w.editor.Human().Undo(); err != nil {
				return err
			}
			ev.UndoSteps++
		}
	}
	left, err := look(w.editor.State(), w.task.Asked())
	ev.Undone = &left
	return err
}
