// Package misfortune plays bad days: random clients, calls, faults of the link,
// deaths of server and editor, verdicts of a person and edits of another, on
// the simulated editor and in virtual time, all drawn from one seed. At the end
// of each day it holds what happened against the promises of the safety model
// (laws_test.go):
//
//   - nothing takes effect without the consent that was due, the caller's confirm
//     and the person's yes, and nothing that was refused is ever sent;
//   - a call with an idempotencyId takes effect once at most, its intent is in
//     the journal before, and a repeat gets the recorded answer;
//   - reads and previews change nothing;
//   - an answer that says done was done, one that says not done never was, and
//     what it says of a file is what was written;
//   - every call has its line in the audit.
//
// TestMisfortune plays -seeds days from -seed on; a day that breaks a law is
// played again with -seed N -seeds 1 -v, which prints it. TestMutations breaks
// the safety code on purpose, one fault at a time, and demands that some day
// finds each.
package misfortune
