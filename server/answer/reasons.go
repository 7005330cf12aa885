package answer

import "godot-mcp/server/wire"

// Reason is the closed list of causes that the server itself finds. The
// details a reason carries are named in its comment; its hint uses them.
type Reason string

// Reasons of the server.
const (
	// Shape of a call.
	BadArguments      Reason = "bad_arguments"      // param, message
	UnknownArgument   Reason = "unknown_argument"   // param, valid[], tool
	MissingArgument   Reason = "missing_argument"   // param, tool
	DuplicateArgument Reason = "duplicate_argument" // param
	WrongType         Reason = "wrong_type"         // param, expected, got
	OutOfRange        Reason = "out_of_range"       // param, got, limits
	NotAChoice        Reason = "not_a_choice"       // param, got, choices[]
	HoldsNUL          Reason = "nul_character"      // param
	BadResPath        Reason = "bad_res_path"       // param, path, why
	BadNodePath       Reason = "bad_node_path_form" // param, path, why

	// Exposure and rules.
	OwnAddon      Reason = "own_addon"      // path
	ReadOnlyPath  Reason = "read_only_path" // path, message
	ByProfile     Reason = "profile"        // tool, profile, profiles[]
	ByMode        Reason = "mode"           // tool, mode, class, wants
	ByToolset     Reason = "toolset"        // tool, toolset
	ToolsetFrozen Reason = "toolset_frozen" // tool, toolset
	ByRule        Reason = "rule"           // tool, rule, why
	ByGate        Reason = "gate"           // tool
	LinkOutside   Reason = "path"           // path, why
	NobodyToAsk   Reason = "approver"       // tool, rule, why

	// What became of asking a person.
	HumanDenied   Reason = "human"               // tool, by, why
	NoAnswer      Reason = "no_answer"           // tool, by, why
	ApprovalFault Reason = "approval_fault"      // tool, by, why
	CannotAsk     Reason = "client_cannot_ask"   // tool, by
	StaleApproval Reason = "stale_approval"      // tool, by, why
	ChangedSince  Reason = "changed_since_asked" // tool
	QuestionsWait Reason = "questions_wait"      // limit

	// Preconditions and consent.
	NeedsConfirm Reason = "confirm"           // tool, target
	NeedsEcho    Reason = "confirm_echo"      // tool, target[]: names of arguments
	OldGodot     Reason = "godot_version"     // needs, has
	OldAddon     Reason = "addon_commands"    // commands[], addon_version
	NoGodotBin   Reason = "godot_binary"      //
	Unreadable   Reason = "version_unknown"   // has
	NoProjectDir Reason = "project_directory" //
	AuditBroken  Reason = "audit"             // message

	// Repeated calls.
	NeedsID       Reason = "idempotency_id"  // tool
	IDReused      Reason = "id_reused"       // id
	IDInFlight    Reason = "id_in_flight"    // id
	LostOutcome   Reason = "outcome_unknown" // id
	Interrupted   Reason = "interrupted"     // tool
	Unsettled     Reason = "unsettled"       // ids[]
	JournalBroken Reason = "journal"         // message

	// Toolsets, resources, batches.
	UnknownToolset  Reason = "unknown_toolset"  // toolset, near[]
	CoreToolset     Reason = "core_toolset"     //
	UnknownResource Reason = "unknown_resource" // uri, valid[]
	UnknownEntry    Reason = "unknown_entry"    // command, near[]
	AmbiguousEntry  Reason = "ambiguous_entry"  // command, matches[]
	CallDirectly    Reason = "call_directly"    // tool
	NestedBatch     Reason = "nested_batch"     //
	UnknownSnapshot Reason = "unknown_snapshot" // id

	// The server's own limits and faults.
	OutputLimit    Reason = "output_limit"    // limit, narrow
	Busy           Reason = "too_many_calls"  // limit
	TooFast        Reason = "too_fast"        // limit
	AnswersWait    Reason = "answers_unread"  // limit
	CallDeadline   Reason = "call_deadline"   // tool, seconds
	CallCancelled  Reason = "call_cancelled"  // tool
	ShuttingDown   Reason = "shutting_down"   //
	BadResult      Reason = "bad_result"      // tool, message
	ServerFault    Reason = "server_fault"    // tool
	NotImplemented Reason = "not_in_this_era" // method
)

// entry is one row of the table of hints.
type entry struct {
	code     wire.Code
	required string // token, unless param names a detail that holds one
	param    string
	retryMS  int // above 0: the same call may work after that time
	hint     string
	// others are hints for special cases; the first that fits is taken.
	others []special
}

// special is the hint of failures that have a certain detail.
type special struct{ mark, hint string }

// hintFor is the template for these details.
func (e entry) hintFor(details map[string]any) string {
	for _, s := range e.others {
		if _, ok := details[s.mark]; ok {
			return s.hint
		}
	}
	return e.hint
}

var entries = func() map[string]entry {
	all := make(map[string]entry, len(serverEntries)+len(wireEntries))
	for r, e := range serverEntries {
		all[string(r)] = e
	}
	for r, e := range wireEntries {
		e.code = r.Code()
		all[string(r)] = e
	}
	return all
}()

// Reasons lists the server's own reasons with their codes.
func Reasons() map[Reason]wire.Code {
	out := make(map[Reason]wire.Code, len(serverEntries))
	for r, e := range serverEntries {
		out[r] = e.code
	}
	return out
}

var serverEntries = map[Reason]entry{
	BadArguments:      {code: wire.ValidationError, param: "param", hint: "The arguments cannot be read[: {message}]. Send one JSON object with the argument names of the tool's schema."},
	UnknownArgument:   {code: wire.ValidationError, param: "param", hint: "{tool|This tool} has no argument \"{param|of that name}\".[ Its arguments are: {valid}.]"},
	MissingArgument:   {code: wire.ValidationError, param: "param", hint: "{tool|This tool} needs the argument \"{param|that its schema requires}\"; add it and call again."},
	DuplicateArgument: {code: wire.ValidationError, param: "param", hint: "The argument \"{param|name}\" stands twice; send it once."},
	WrongType:         {code: wire.ValidationError, param: "param", hint: "\"{param|The argument}\" must be {expected|of another type}[, not {got}]."},
	OutOfRange:        {code: wire.ValidationError, param: "param", hint: "\"{param|The argument}\" is out of range[: {got}][; allowed: {limits}]."},
	NotAChoice:        {code: wire.ValidationError, param: "param", hint: "\"{param|The argument}\" has no choice \"{got|like that}\".[ Choose one of: {choices}.]"},
	HoldsNUL:          {code: wire.ValidationError, param: "param", hint: "\"{param|The argument}\" holds a NUL character (\\u0000), which no text of the editor can hold. Leave it out."},
	BadResPath:        {code: wire.ValidationError, param: "param", hint: "\"{path|The path}\" is not a path inside the project[: {why}]. Write res:// and the way from the project folder, such as res://scenes/main.tscn."},
	BadNodePath:       {code: wire.ValidationError, param: "param", hint: "\"{path|The path}\" is not a node path inside the scene[: {why}]. Paths begin below the scene root: \".\" is the root, \"Player/Sprite2D\" a descendant."},

	OwnAddon:      {code: wire.PermissionDenied, required: "path", hint: "{path|The path} belongs to this server's own addon, by which it reaches the editor; nothing is written there. A person can install another version with godot-mcp install-addon."},
	ReadOnlyPath:  {code: wire.PermissionDenied, required: "path", hint: "{path|The file} cannot be written here[: {message}]. Choose another place, or ask a person to change the permissions."},
	ByProfile:     {code: wire.PermissionDenied, required: "profile", hint: "{tool|The tool} is not part of profile {profile|that this server runs with}. A person can start the server with --profile {wants|full}[ (profiles that have it: {profiles})]."},
	ByMode:        {code: wire.PermissionDenied, required: "mode", hint: "Mode {mode|of this server} does not allow {class|such} tools, so {tool|this tool} is refused. A person can start the server with --mode {wants|full}."},
	ByToolset:     {code: wire.PreconditionFailed, required: "toolset", hint: "Toolset {toolset|of this tool} is off. Call godot_enable_toolset with category \"{toolset|its name}\" first; its answer holds the schemas."},
	ToolsetFrozen: {code: wire.PermissionDenied, required: "toolset", hint: "Toolset {toolset|of this tool} is not among those this server was started with. A person can add it to --toolsets."},
	ByRule:        {code: wire.PermissionDenied, required: "rule", hint: "A permission rule of this server refuses {tool|this call}[: {rule}].[ Reason: {why}.] Choose another way or ask the person who runs the server."},
	ByGate:        {code: wire.PermissionDenied, required: "gate", hint: "{tool|The tool} does what nothing undoes, so this server keeps it closed while nobody approves calls. A person can start the server with --approval, or with --allow-destructive."},
	HumanDenied:   {code: wire.ApprovalDenied, required: "human", hint: "A person was asked and refused {tool|the call}[ ({by})][: \"{why}\"]. Nothing was changed. Do not repeat it as it is; ask what they want instead."},
	NoAnswer:      {code: wire.ApprovalDenied, required: "human", hint: "Nobody answered whether {tool|the call} may run[ ({by}: {why})], so it was refused and nothing was changed. Tell the person that a question waits for them, then repeat the call."},
	ApprovalFault: {code: wire.ApprovalDenied, required: "approver", hint: "The person who approves calls could not be asked about {tool|this call}[ ({by}: {why})], so it was refused and nothing was changed. The person who runs the server has to mend that."},
	CannotAsk:     {code: wire.ApprovalDenied, required: "elicitation", hint: "A person has to approve {tool|this call}, and this client cannot ask its user. Nothing was changed. A person can use a client that supports elicitation, or start the server with --approval console or webhook."},
	StaleApproval: {code: wire.ApprovalDenied, required: "human", hint: "The approval that came with {tool|the call} is not valid for it[: {why}]. Nothing was changed. Make the call again, without state from before."},
	ChangedSince:  {code: wire.Conflict, hint: "While a person looked at {tool|the call}, the project changed, so what they approved is not what would happen now. Nothing was changed. Make the call again."},
	QuestionsWait: {code: wire.PreconditionFailed, required: "capacity", retryMS: 5000, hint: "[{limit} calls wait for a person already. ]Wait for their answers, then repeat the call."},
	NobodyToAsk:   {code: wire.ApprovalDenied, required: "approver", hint: "A permission rule wants a person to approve {tool|this call}[: {rule}], and this server has nobody to ask.[ Reason: {why}.] Choose another way; a person can start the server with --approval, or with --ask execute."},
	LinkOutside:   {code: wire.PermissionDenied, required: "path", hint: "{path|The path} is not for this server[: {why}]. Name a file that lies in the project itself."},

	NeedsConfirm: {code: wire.PreconditionFailed, required: "confirm", hint: "{tool|This tool} removes or overwrites things[ ({target})]. Call it with dry_run true to see what would happen, then with confirm true. Nothing was sent."},
	NeedsEcho:    {code: wire.PreconditionFailed, required: "confirm", hint: "{tool|This tool} removes or overwrites things, so confirm has to repeat what it acts on: the value of {target|its target}, byte for byte as the preview shows it, several joined by one space. Call it with dry_run true first. Nothing was sent."},
	OldGodot:     {code: wire.PreconditionFailed, required: "godot_version", hint: "This needs Godot {needs|of a newer version}[; the editor is {has}]. Open the project in a newer editor."},
	OldAddon:     {code: wire.PreconditionFailed, required: "addon_commands", hint: "The addon in the editor does not know {commands|a command this needs}[ (addon {addon_version})]. Install the addon of this server again with godot-mcp install-addon and reload the plugin."},
	NoGodotBin:   {code: wire.PreconditionFailed, required: "godot_binary", hint: "No Godot program is known, or this server may start none (--isolate=strict). A person can set GODOT_MCP_GODOT_BIN."},
	Unreadable:   {code: wire.PreconditionFailed, required: "bridge_connected", hint: "The editor's Godot version cannot be read[: {has}]. Call godot_get_server_info to see the editor."},
	NoProjectDir: {code: wire.PreconditionFailed, required: "project_dir", hint: "The project folder is not known. Connect an editor, or set GODOT_MCP_PROJECT_DIR."},
	AuditBroken:  {code: wire.PreconditionFailed, required: "audit", hint: "The audit file cannot be written[: {message}], and no change is made that is not written down. Reads still work. Tell the person who runs the server."},

	NeedsID:       {code: wire.ValidationError, required: "idempotencyId", hint: "This server wants an idempotencyId for every change. Choose a new text for each change, and repeat it only to repeat the same call of {tool|the tool}."},
	IDInFlight:    {code: wire.Timeout, retryMS: 5000, hint: "The first call with idempotencyId \"{id|of this call}\" has not ended; it may wait for a person. Repeat this call later: it is done once and you get its outcome."},
	IDReused:      {code: wire.Conflict, required: "idempotencyId", hint: "The idempotencyId \"{id|of this call}\" belongs to another call already. Choose a new one for a new change; to repeat a call, send the very same arguments."},
	LostOutcome:   {code: wire.Uncertain, required: "idempotencyId", hint: "What became of the call with idempotencyId \"{id|given}\" cannot be told any more: the editor that had it is gone. Read the state; if the change is not there, make it with a new idempotencyId. A person can decide with godot-mcp journal settle."},
	Interrupted:   {code: wire.Uncertain, hint: "{tool|The call} was cut off in the middle and the rest of it never ran. Read the state again before you go on."},
	Unsettled:     {code: wire.PreconditionFailed, required: "settled", retryMS: 1000, hint: "The editor is still busy with an earlier change[ ({ids})] whose outcome has to be known first. Wait a moment and repeat the call."},
	JournalBroken: {code: wire.PreconditionFailed, required: "journal", hint: "The record of earlier calls cannot be used[: {message}]. Tell the person who runs the server."},

	UnknownToolset:  {code: wire.ValidationError, required: "category", hint: "There is no toolset \"{toolset|of that name}\".[ Near: {near}.] Call godot_list_toolsets for the names."},
	CoreToolset:     {code: wire.ValidationError, required: "category", hint: "Toolset core is always on. Call godot_list_toolsets for those that can be switched."},
	UnknownResource: {code: wire.ResourceNotFound, required: "uri", hint: "There is no resource \"{uri|of that address}\".[ The resources are: {valid}.]"},
	UnknownEntry:    {code: wire.ValidationError, required: "command", hint: "\"{command|The entry}\" names no tool that can run in a batch.[ Near: {near}.]"},
	AmbiguousEntry:  {code: wire.ValidationError, required: "command", hint: "\"{command|The entry}\" fits several tools.[ Write one of: {matches}.]"},
	CallDirectly:    {code: wire.ValidationError, required: "command", hint: "{tool|This tool} cannot run inside a batch; call it directly."},
	NestedBatch:     {code: wire.ValidationError, required: "command", hint: "A batch cannot hold another batch; put its commands into this one."},
	UnknownSnapshot: {code: wire.ResourceNotFound, required: "snapshot", hint: "Snapshot {id|of that id} is not kept any more. Take a new one with godot_inspection_snapshot_subtree."},

	OutputLimit:    {code: wire.ValidationError, required: "output", hint: "The answer would be longer than {limit|25000} characters. {narrow|Ask for less}."},
	Busy:           {code: wire.PreconditionFailed, required: "capacity", retryMS: 1000, hint: "The server takes no more[ than {limit}] calls at once. Wait for an answer, then repeat the call."},
	TooFast:        {code: wire.PreconditionFailed, required: "capacity", retryMS: 1000, hint: "More calls than [{limit} ]in a minute. Wait as long as retry_after_ms says, then go on more slowly; godot_composite_run_commands does several edits in one call."},
	AnswersWait:    {code: wire.PreconditionFailed, required: "capacity", retryMS: 1000, hint: "The client has not read the answers to earlier calls[ (more than {limit} bytes)]. Read them, then repeat the call."},
	CallDeadline:   {code: wire.Timeout, hint: "{tool|The call} gave no answer within {seconds|its} seconds. Call godot_health_check to see whether the editor answers."},
	CallCancelled:  {code: wire.Cancelled, hint: "{tool|The call} was cancelled."},
	ShuttingDown:   {code: wire.PreconditionFailed, required: "server", hint: "The server is shutting down; start it again and repeat the call."},
	BadResult:      {code: wire.InternalError, hint: "The editor's answer to {tool|this call} has not the expected shape[: {message}]. The arguments were fine. Install the addon of this server again with godot-mcp install-addon."},
	ServerFault:    {code: wire.InternalError, hint: "The server failed in {tool|this call}; its log (stderr) has the cause. Other calls still work."},
	NotImplemented: {code: wire.Unsupported, hint: "[{method} is not served. ]Use the tools instead."},
}
