// Package journal remembers calls by the id that their callers gave them, so
// that a call can be repeated after a lost answer and still takes effect once.
//
// There is one file per project. A record begins right before the first command
// of a call that can change something goes out, on disk and synced, with the
// command's envelope id ([Claim.Sending]); it ends with the answer of the call
// ([Claim.Finish]). A call that changed nothing leaves no record, so its id is
// free. A record without an end is open: the server or the editor died, or an
// answer was lost. Open records are settled before anything else of the project
// is served ([Keeper.Settle]): the editor remembers the outcomes of its last
// commands and is asked. If it is gone, the record becomes uncertain for good.
//
// Records that are settled expire after 30 days.
package journal
