package scripts

import "context"

// Backend is one editor that scenarios run on.
type Backend interface {
	// Name is "sim" or "godot".
	Name() string
	// Open gives the editor a project (slash paths relative to the project
	// folder) and makes it dial url with the token, if there is one. It replaces
	// what was open before.
	Open(ctx context.Context, files map[string][]byte, url, token string) error
	// Look reads the state that the laws compare, past the server.
	Look(ctx context.Context) (Look, error)
	// Peek is a Look without what a save would write, and without files.
	Peek(ctx context.Context) (Look, error)
	// Glance is a Look without what a save would write or leave, and without files.
	Glance(ctx context.Context) (Look, error)
	// Load shows a scene file as an editor that has read nothing yet would open it,
	// in the form of Look.Live.
	Load(ctx context.Context, scene string) (string, error)
	// Human does what a person does in the editor; the words are in the package comment.
	Human(ctx context.Context, words []string) error
	// Files reads the project as it is on disk: slash path to content, without
	// the .godot folder and the addon.
	Files(ctx context.Context) (map[string][]byte, error)
	// WriteFile and RemoveFile change the project from outside the editor; every
	// write happens in another second.
	WriteFile(ctx context.Context, path string, content []byte) error
	RemoveFile(ctx context.Context, path string) error
	// RewriteFile writes a file anew from outside within the second of its last change.
	RewriteFile(ctx context.Context, path string, content []byte) error
	// MakeFolder makes a folder from outside the editor.
	MakeFolder(ctx context.Context, path string) error
	// Link makes a symbolic link in the project; it needs a real folder.
	Link(ctx context.Context, path, target string) error
	// Pipe makes a named pipe, which is no file.
	Pipe(ctx context.Context, path string) error
	// Fault arms one line of a fault script.
	Fault(ctx context.Context, line string) error
	// Received counts the commands that reached the editor since Open.
	Received() int
	// Stop and Restart take the editor away and bring it back on the same project.
	Stop(ctx context.Context) error
	Restart(ctx context.Context) error
	// Reset ends a scenario: the editor is free for the next Open.
	Reset(ctx context.Context) error
}

// Look is what the laws compare before and after a call. Each text is
// canonical: equal states give equal text.
type Look struct {
	// Live is the edited scene's tree, the same text on every editor: nodes in
	// order with class and owner, stored properties that differ from the
	// default, groups, connections, and the order of children.
	Live string `json:"live"`
	// Saved is what a save would write, whatever the ids.
	Saved string `json:"saved"`
	// Reloaded is the edited scene as it would be after a save and a load by an
	// editor that has read nothing yet, in the form of Live.
	Reloaded string `json:"reloaded"`
	// Steps counts the actions of the scene's and the global history that can
	// be undone; Last is the name of the newest.
	Steps int    `json:"steps"`
	Last  string `json:"last"`
	// Tops is the newest action of each history that has one: which it is ("global"
	// or "scene"), the place of the action in it, and its name.
	Tops []string `json:"tops"`
	// Session is tabs, active scene and selection.
	Session string `json:"session"`
	// Files is path and digest of every project file, one a line.
	Files string `json:"files"`
}
