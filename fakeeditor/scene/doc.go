// Package scene is the live side of the simulated editor: nodes with identity,
// resources as objects, connections and instances, as immutable values in a
// persistent [Store]; how they come out of a scene file ([Load], [Instantiate])
// and go back into one ([Pack]); and what such a save would lose ([Verdict]).
//
// The rules are those of the engine's own packer (engine 4.6, experiments): what
// a file keeps of a node is decided by comparing it with the states that supply
// it, which are the scenes instanced on the way from the node up to the edited
// root. Nothing is marked as "overridden" in between.
package scene
