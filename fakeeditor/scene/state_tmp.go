package scene

// Packed is what a scene file holds, understood: the engine's SceneState.
type Packed struct {
	Path string
}
