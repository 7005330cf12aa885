package scene

import (
	"encoding/binary"
	"strings"

	"godot-mcp/server/godot/ids"
)

// binaryHeader reads class and uid from the head of a binary resource file: magic,
// byte order, word size, three version numbers, the class, the place of import
// data, flags, and the uid if the flags have it. Class is "Resource" when the head
// is not there or is compressed.
func binaryHeader(data string) (class, uid string) {
	const (
		classAt = 24
		hasUID  = 2
	)
	if !strings.HasPrefix(data, "RSRC") || len(data) < classAt+4 {
		return "Resource", ""
	}
	var order binary.ByteOrder = binary.LittleEndian
	raw := []byte(data[:min(len(data), 512)])
	if order.Uint32(raw[4:]) != 0 {
		order = binary.BigEndian
	}
	n := int(order.Uint32(raw[classAt:]))
	rest := classAt + 4 + n
	if n <= 0 || rest+20 > len(raw) {
		return "Resource", ""
	}
	class = strings.TrimRight(string(raw[classAt+4:rest]), "\x00")
	if order.Uint32(raw[rest+8:])&hasUID != 0 {
		uid = ids.UID(order.Uint64(raw[rest+12:])).String()
	}
	return class, uid
}
