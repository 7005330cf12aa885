// Package variant holds the engine's values and their two forms: the engine's text and JSON.
package variant
