// Package evals measures whether agents can be trusted with a Godot project: it
// gives each of them a simulated editor behind the real server, lets them work
// on a task, and grades what became of the project and what they said about it.
//
//	task      the format of a task: one txtar file
//	tasks     the tasks themselves
//	sim       one world per trial, in virtual time
//	evidence  all that a grader may see, as plain data
//	grade     pure functions from evidence to findings and verdicts
//	agents    scripted agents: the reference solution and its flawed relatives
//	verify    the suite checked against itself, without a model
//	run       many trials, stored, resumed, sharded and merged
//	report    figures and pages from stored trials
//
// README.md says how to write a task, run an agent and read the report.
package evals
