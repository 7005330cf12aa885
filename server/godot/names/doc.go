// Package names knows the engine's rules for node names and node paths: which characters a name loses, and which name
// a node gets when a sibling has it already. Source: experiments with engine 4.6.3.
package names
