package wire

// Code is the closed list of failure codes on the wire and in answers.
type Code string

// The codes. PeerReplaced is a notice to a replaced editor and never the
// answer of a tool.
const (
	ValidationError    Code = "VALIDATION_ERROR"
	ResourceNotFound   Code = "RESOURCE_NOT_FOUND"
	Conflict           Code = "CONFLICT"
	PermissionDenied   Code = "PERMISSION_DENIED"
	ApprovalDenied     Code = "APPROVAL_DENIED"
	Unsupported        Code = "UNSUPPORTED"
	PreconditionFailed Code = "PRECONDITION_FAILED"
	BridgeDisconnected Code = "BRIDGE_DISCONNECTED"
	Timeout            Code = "TIMEOUT"
	Cancelled          Code = "CANCELLED"
	Uncertain          Code = "UNCERTAIN"
	InternalError      Code = "INTERNAL_ERROR"
	PeerReplaced       Code = "PEER_REPLACED"
)

// Reason is the closed list of causes that an editor reports. The details a
// reason carries are named in its comment; the server's hint uses them.
type Reason string

// Reasons, by code.
const (
	// Envelope and parameters.
	ReasonUnknownCommand Reason = "unknown_command" // command
	ReasonBadParams      Reason = "bad_params"      // message, param
	ReasonNotAStep       Reason = "not_a_step"      // command
	ReasonEmptyBatch     Reason = "empty_batch"
	ReasonAuth           Reason = "bad_token"
	ReasonDuplicate      Reason = "duplicate_session" // session
	ReasonReplaced       Reason = "peer_replaced"     // project_path

	// Node paths and nodes.
	ReasonNodePath      Reason = "bad_node_path"        // path
	ReasonNodeNotFound  Reason = "node_not_found"       // path, near[]
	ReasonAmbiguousPath Reason = "ambiguous_path"       // path, count
	ReasonUnknownRef    Reason = "unknown_reference"    // path: a ":ref" that no earlier step made
	ReasonNodeName      Reason = "bad_node_name"        // name
	ReasonNotNodeClass  Reason = "not_a_node_class"     // type, near[]
	ReasonAbstractClass Reason = "not_instantiable"     // type
	ReasonScriptClass   Reason = "script_class"         // type, path: a class_name where an engine class is wanted
	ReasonUnknownClass  Reason = "unknown_class"        // type, near[]
	ReasonIsRoot        Reason = "is_scene_root"        // path: the root cannot be deleted, moved or duplicated
	ReasonIntoItself    Reason = "into_itself"          // path, new_parent
	ReasonFromBase      Reason = "node_from_base_scene" // path, source: delete, rename, move, reorder of a node an instance or base scene supplies
	ReasonMixedOwner    Reason = "mixed_ownership"      // path, source
	ReasonNotAnInstance Reason = "not_an_instance"      // path
	ReasonCyclic        Reason = "cyclic_instance"      // path: the scene would contain itself
	ReasonWouldLose     Reason = "would_lose"           // path, lost[]: needs force

	// Properties and values.
	ReasonNoProperty    Reason = "unknown_property"    // path, property, near[]
	ReasonReadOnlyProp  Reason = "read_only_property"  // path, property
	ReasonBadValue      Reason = "bad_value"           // property, expected, got
	ReasonNotKept       Reason = "value_not_kept"      // property, expected, got: the setter dropped it
	ReasonNotSaved      Reason = "not_saved"           // path, property, loss, source: the scene's file would not hold it
	ReasonWrongResource Reason = "wrong_resource_type" // property, expected, got, resource
	ReasonBadGroup      Reason = "bad_group"           // group

	// Signals.
	ReasonNoSignal      Reason = "unknown_signal"             // path, signal, near[]
	ReasonNoMethod      Reason = "unknown_method"             // path, method, near[]
	ReasonConnected     Reason = "already_connected"          // signal, method
	ReasonNotConnected  Reason = "signal_not_connected"       // signal, method
	ReasonFires         Reason = "fires_in_editor"            // signal, method, path: the editor itself would take nodes out of the scene
	ReasonEndless       Reason = "endless_connection"         // signal, method, path: the editor would draw or sort without end
	ReasonBindNotSaved  Reason = "bind_not_saveable"          // index
	ReasonFromBaseConn  Reason = "connection_from_base_scene" // signal, method, source
	ReasonGroupFromBase Reason = "group_from_base_scene"      // path, group, source

	// Scenes and files.
	ReasonNoScene        Reason = "active_scene"   // no scene is being edited
	ReasonSceneNotOpen   Reason = "scene_not_open" // path
	ReasonSceneHasNoPath Reason = "scene_has_no_path"
	ReasonOtherScene     Reason = "other_scene_active" // path, active
	ReasonUnsaved        Reason = "unsaved_changes"    // path
	ReasonSceneOpen      Reason = "scene_open"         // path: a tab would write its own content over the new file
	ReasonFileNotFound   Reason = "file_not_found"     // path
	ReasonFileExists     Reason = "file_exists"        // path
	ReasonFolderMissing  Reason = "folder_not_found"   // path
	ReasonBadPath        Reason = "bad_path"           // path
	ReasonIsFolder       Reason = "is_folder"          // path: a file is wanted
	ReasonBadExtension   Reason = "bad_extension"      // path, want[]
	ReasonNotAScene      Reason = "not_a_scene"        // path
	ReasonBinary         Reason = "binary_file"        // path
	ReasonCorrupt        Reason = "corrupt_file"       // path, message, line
	ReasonMissingDep     Reason = "missing_dependency" // path, missing[]
	ReasonNotImported    Reason = "not_imported"       // path
	ReasonImporting      Reason = "importing"          // path
	ReasonChanged        Reason = "changed"            // path, expected_sha256, sha256; of a file that a save writes all of OutsideChange, and files[] of several
	ReasonTextNotFound   Reason = "text_not_found"     // path, find
	ReasonTextAmbiguous  Reason = "text_ambiguous"     // path, count
	ReasonWriteFailed    Reason = "write_failed"       // path, message
	ReasonSaveFailed     Reason = "save_failed"        // path, message; files[] when several failed, lost[] whose old content could not be put back
	ReasonMissingNodes   Reason = "missing_nodes"      // path, missing[]: saving would destroy nodes of unknown classes
	ReasonMissingRes     Reason = "missing_resources"  // path, missing[]: saving would lose resources of these unknown classes
	ReasonTooBig         Reason = "too_big"            // limit, size

	// History.
	ReasonHumanEdit Reason = "human_edit" // action: the newest history entry is not ours; or path, expected_version, version, changes[]: the scene is not as it was read

	// Readiness: the answer is not there yet, ask again.
	ReasonScanning       Reason = "scan_in_flight"
	ReasonDiagnostics    Reason = "diagnostics_pending"
	ReasonLanguageServer Reason = "lsp_project" // root: the language server serves another project

	ReasonHandlerFailed Reason = "handler_failed" // command, message

	// The link, as the server's bridge reports it. Sent says whether the command left.
	ReasonNoEditor   Reason = "bridge_connected" // url: no editor is attached; nothing was sent
	ReasonLinkLost   Reason = "link_lost"        // command: sent, no reply, and the outcome cannot be learnt
	ReasonNotApplied Reason = "not_applied"      // command: the link broke and the editor says it never ran
	ReasonDeadline   Reason = "deadline"         // command, seconds
	ReasonBadReply   Reason = "bad_reply"        // command, message
	ReasonCancelled  Reason = "cancelled"        // command: given up before it was sent
	ReasonEditorBusy Reason = "queue_full"       // waiting
)

// Code gives the failure code a reason belongs to.
func (r Reason) Code() Code {
	if c, ok := reasonCodes[r]; ok {
		return c
	}
	return InternalError
}

// Reasons lists every reason with its code.
func Reasons() map[Reason]Code {
	out := make(map[Reason]Code, len(reasonCodes))
	for r, c := range reasonCodes {
		out[r] = c
	}
	return out
}

var reasonCodes = map[Reason]Code{
	ReasonUnknownCommand: ValidationError, ReasonBadParams: ValidationError, ReasonNotAStep: ValidationError,
	ReasonEmptyBatch: ValidationError, ReasonAuth: PermissionDenied, ReasonDuplicate: Conflict, ReasonReplaced: PeerReplaced,

	ReasonNodePath: ValidationError, ReasonNodeNotFound: ResourceNotFound, ReasonAmbiguousPath: Conflict,
	ReasonUnknownRef: ValidationError, ReasonNodeName: ValidationError, ReasonNotNodeClass: ValidationError,
	ReasonAbstractClass: ValidationError, ReasonScriptClass: ValidationError, ReasonUnknownClass: ValidationError,
	ReasonIsRoot: ValidationError, ReasonIntoItself: ValidationError, ReasonFromBase: ValidationError,
	ReasonMixedOwner: ValidationError, ReasonNotAnInstance: ValidationError, ReasonCyclic: ValidationError,
	ReasonWouldLose: PreconditionFailed,

	ReasonNoProperty: ValidationError, ReasonReadOnlyProp: ValidationError, ReasonBadValue: ValidationError,
	ReasonNotKept: ValidationError, ReasonNotSaved: ValidationError, ReasonWrongResource: ValidationError, ReasonBadGroup: ValidationError,

	ReasonNoSignal: ValidationError, ReasonNoMethod: ValidationError, ReasonConnected: Conflict, ReasonEndless: Conflict, ReasonFires: Conflict,
	ReasonNotConnected: ResourceNotFound, ReasonBindNotSaved: ValidationError, ReasonFromBaseConn: ValidationError,
	ReasonGroupFromBase: ValidationError,

	ReasonNoScene: PreconditionFailed, ReasonSceneNotOpen: PreconditionFailed, ReasonSceneHasNoPath: PreconditionFailed,
	ReasonOtherScene: Conflict, ReasonUnsaved: Conflict, ReasonSceneOpen: Conflict, ReasonFileNotFound: ResourceNotFound, ReasonFileExists: Conflict,
	ReasonFolderMissing: ResourceNotFound, ReasonBadPath: ValidationError, ReasonIsFolder: ValidationError, ReasonBadExtension: ValidationError,
	ReasonNotAScene: ValidationError, ReasonBinary: Unsupported, ReasonCorrupt: Unsupported,
	ReasonMissingDep: PreconditionFailed, ReasonNotImported: PreconditionFailed, ReasonImporting: PreconditionFailed,
	ReasonChanged: Conflict, ReasonTextNotFound: ResourceNotFound, ReasonTextAmbiguous: Conflict,
	ReasonWriteFailed: InternalError, ReasonSaveFailed: InternalError, ReasonMissingNodes: PreconditionFailed, ReasonMissingRes: PreconditionFailed,
	ReasonTooBig: ValidationError,

	ReasonHumanEdit: Conflict,

	ReasonScanning: Timeout, ReasonDiagnostics: Timeout, ReasonLanguageServer: PreconditionFailed,

	ReasonHandlerFailed: InternalError,

	ReasonNoEditor: BridgeDisconnected, ReasonLinkLost: Uncertain, ReasonNotApplied: BridgeDisconnected,
	ReasonDeadline: Timeout, ReasonBadReply: InternalError, ReasonCancelled: Cancelled, ReasonEditorBusy: PreconditionFailed,
}

// LossReason says why a save would not keep an edit. Closed list.
type LossReason string

// Loss reasons (engine 4.6 experiments; see the persistence scenarios).
const (
	LossNone               LossReason = ""
	LossNotOwned           LossReason = "node_not_owned"
	LossInstanceChild      LossReason = "instanced_child_not_editable"
	LossEmbeddedElsewhere  LossReason = "embedded_in_other_resource"
	LossGroupFromBase      LossReason = "group_from_base_scene"
	LossFromBase           LossReason = "node_from_base_scene"
	LossConnectionFromBase LossReason = "connection_from_base_scene"
	LossNotStored          LossReason = "property_not_stored"
	LossNotExact           LossReason = "number_not_exact" // the engine reads the number that it writes as another one
	LossFileMissing        LossReason = "resource_file_missing"
	LossUIDTaken           LossReason = "uid_of_another_file" // a reload follows the uid, to source
	LossResourceConnection LossReason = "resource_connection"
	LossNotPersistent      LossReason = "connection_not_persistent"
)

// Verdict says whether saving the scene as it stands would keep an edit.
type Verdict struct {
	Persisted bool       `json:"persisted"`
	Reason    LossReason `json:"reason,omitempty"`
	// Subject is the node that decides (scene-relative path), Source the scene
	// or resource file that it comes from, when there is one.
	Subject string `json:"subject,omitempty"`
	Source  string `json:"source,omitempty"`
}
