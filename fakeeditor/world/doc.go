// Package world is the simulated editor as a pure step function over an immutable
// [State]: [Step] takes a state and a command and gives the next state and the
// answer. Forking is copying the State value.
//
// Who holds what:
//
//   - state.go, tx.go, step.go: State, its builder Tx, and the step function.
//     A handler gets a *Tx, changes Tx.State through its methods, and returns an
//     answer or an error; on an error and in a dry run the Tx is dropped.
//   - steps_*.go: the undoable steps; transaction.go: all-or-nothing and undo.
//   - reads_*.go: reads; they must leave Tx.State as it is.
//   - session_*.go: open, save, close, reload, extract, history moves, selection.
//   - files_*.go: read_file, write_file, list_files, rescan, scan_state,
//     check_script and project info, on State.Files (package fakeeditor/files).
//
// Time, randomness and the outside world come in through Input and State.Clock;
// connection, frames, faults and the outcome memory belong to package fakeeditor.
// cmd_get_outcome is answered there, before a command gets here.
package world
