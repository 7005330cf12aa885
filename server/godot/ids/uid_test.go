package ids

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What ResourceUID.create_id_for_path gave in a project named Lab, for a file that is missing and for one that is there.
func TestForPathAgainstTheEngine(t *testing.T) {
	require.Equal(t, "uid://63q7fjdc6clf", ForPath("Lab", "res://nofile.tscn", nil, nil).String())
	content := []byte("config_version=5\n[application]\nconfig/name=\"Lab\"\n")
	require.Equal(t, "uid://l0vy5en67bo8", ForPath("Lab", "res://project.godot", content, nil).String())
	// String.hash() of the engine counts code points.
	require.Equal(t, uint32(1114584949), Hash("res://mäin.tscn"))
}
