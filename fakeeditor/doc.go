// Package fakeeditor is a simulated Godot editor that dials the server as the
// addon in a real one does: the same hello, the same commands, one queue that is
// drained once per frame, the same memory of outcomes.
//
// An [Editor] is a shell around a pure core, the immutable state of package
// world: it has the clock, the link, the project folder and the person at the
// keyboard. Tests drive it without a link through [Editor.Do] and [Editor.Human]
// and look at it with [Editor.State]; [Editor.Fork] copies it for nothing. What
// goes wrong between it and the server is said in the words of package fault.
//
// With the virtual clock (the default) nothing ever sleeps: a frame comes when
// there is something to do in it. With the timer clock frames come every 6.94 ms
// of package time, in a testing/synctest bubble at no cost.
package fakeeditor
