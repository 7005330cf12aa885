// Package addontest starts real Godot editors with the addon in them.
//
// [Start] launches, watches and stops one editor process on a project folder; it
// knows nothing of the wire. [Listen] is a bare server for the addon to dial, and
// a second one lets a test run snippets inside the editor ([Lab]), past the addon.
// [Prepare] makes a project folder from files, with the addon installed.
//
// Everything here is for tests: an editor takes some 5 s to start, so tests share
// one and close its scenes in between.
package addontest
