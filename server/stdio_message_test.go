package server

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lineSeeds are messages and what is nearly one.
var lineSeeds = []string{
	`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"a\u0062","method":"tools/call","params":{"name":"x","arguments":{"a":[1,null]}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized","params":null}`, `{"jsonrpc":"2.0","id":1,"method":""}`, `{"jsonrpc":"2.0","id":1,"method":null}`,
	`{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":1}`,
	`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no","data":{"a":1}}}`, `{"jsonrpc":"2.0","id":1,"error":null}`, `{"jsonrpc":"2.0","id":1,"error":3}`,
	`{"jsonrpc":"2.0","result":{}}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"JSONRPC":"2.0","ID":1,"Method":"ping"}`, `{"jsonrpc":"2.0","ID":2,"id":1,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, `{"jsonrpc":"2.0","id":[],"method":"ping"}`, `{"jsonrpc":"2.0","id":true,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
	`[]`, `null`, `7`, `"x"`, `{}`, `{"jsonrpc":null}`,
}

// FuzzLine holds our reading of lines against the SDK's: what both accept is the
// same message, and ours accepts nothing more.
func FuzzLine(f *testing.F) {
	for _, s := range lineSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		ours, id, fault := parse([]byte(line))
		if fault != nil {
			require.Nil(t, ours)
			require.True(t, id == nil || json.Valid(id))
			return
		}
		theirs, err := jsonrpc.DecodeMessage([]byte(line))
		require.NoError(t, err)
		require.Equal(t, theirs, ours)
	})
}

// Every message that the SDK would take is taken, but those whose id would come
// back as another one or that say nothing.
func TestMessagesOfTheSDKAreTaken(t *testing.T) {
	taken := 0
	for _, line := range lineSeeds {
		theirs, err := jsonrpc.DecodeMessage([]byte(line))
		ours, _, fault := parse([]byte(line))
		if err != nil {
			assert.NotNil(t, fault, line)
			continue
		}
		if fault != nil {
			assert.Contains(t, []string{
				`{"jsonrpc":"2.0","id":1,"method":null}`, `{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","id":1,"error":null}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			}, line)
			continue
		}
		assert.Equal(t, theirs, ours, line)
		taken++
	}
	assert.Equal(t, 8, taken)
}
