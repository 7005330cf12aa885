package scripts

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"godot-mcp/server/catalog"
)

var outputSchemas sync.Map // tool name -> *jsonschema.Resolved

// validate checks structured content against the tool's output schema.
func validate(t *catalog.Tool, content any) error {
	resolved, ok := outputSchemas.Load(t.Name)
	if !ok {
		raw, err := json.Marshal(catalog.StrictOutput(t))
		if err != nil {
			return err
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(raw, &schema); err != nil {
			return fmt.Errorf("output schema: %w", err)
		}
		r, err := schema.Resolve(nil)
		if err != nil {
			return fmt.Errorf("output schema: %w", err)
		}
		resolved, _ = outputSchemas.LoadOrStore(t.Name, r)
	}
	raw, err := json.Marshal(content)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	return resolved.(*jsonschema.Resolved).Validate(v)
}
