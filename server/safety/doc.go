// Package safety holds every decision about what a call may do. It decides and
// explains; the catalogue and the server carry out what it says, the addon and
// the simulator only execute and report.
//
// The order of checks for every call:
//
//	1 shape          unambiguous JSON, schema, repaired arguments, cleaned paths
//	2 exposure       profile, mode, permission file, gate, toolset
//	3 rules          allow, ask or deny on the final arguments
//	4 idempotency    a repeated call is answered from the journal
//	5 preconditions  what can be known without asking the editor
//	6 dry_run        a preview asks the editor and stops there
//	7 confirm        destructive tools need the caller's confirm
//	8 approval       a person says yes or no
//	9 record         no change that cannot be written down
//
// Confirm is set by the caller itself and guards against accidents. Approval is
// another's consent: with an approver ([Gate].Approver) a person is asked about
// every call that changes something or runs code, and about what a rule says ask
// for; a batch is put to the person once, as the worst of its calls. Whatever
// is not a plain yes is a no, faults on the way included. Everything that only the editor can know comes with its
// reply, after the last stage. The intent of a call with an id is in the journal
// before its first command goes out, and the outcome of every call, refusals
// too, goes to the audit log.
//
// What others wrote is never gone over by accident. A save of a scene whose file is
// not what the editor loaded or saved last, and a write with the digest of another
// content, are refused by the editor right before it would write. The one way
// over it is an argument that a tool declares for that ([Spec].Overwrites): a
// call with it is judged as a destructive one, so that mode and rules may deny it and
// confirm has to be given.
//
// Rules ([Rule]) stand in layers: a permission file over the preset of the mode.
// In a layer deny beats ask beats allow. The file tightens what the preset says
// and loosens it only by rules that override. Irreversible tools are behind one
// more gate, which no rule opens: it takes somebody who approves calls, and is
// asked each time, or the flag that says there is nobody. Rules see the paths that arguments name; a
// resource named by its uid, and the open scene that a tool acts on when no path
// is given, are not known before the editor answers.
package safety
