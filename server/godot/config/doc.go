// Package config reads and writes the engine's settings files: project.godot, override.cfg, *.import,
// export_presets.cfg, plugin.cfg and other ConfigFiles, and the one-line *.uid files.
//
// An edit of a [File] touches only the key it names, comments and the order of keys included. [FormatProject] and
// [FormatConfig] lay a whole file out as ProjectSettings.save and ConfigFile.save do (engine 4.6).
package config
