package httpguard

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestAFloodOfLinesIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		q := &Quiet{Log: slog.New(slog.NewTextHandler(&out, nil))}
		for range 1000 {
			q.Warn("refused")
		}
		assert.Equal(t, quietLines, strings.Count(out.String(), "\n"))
		<-time.After(time.Minute)
		q.Warn("refused", "a", 1)
		assert.Equal(t, quietLines+1, strings.Count(out.String(), "\n"))
		assert.Contains(t, out.String(), "a=1 left_out_before=980")
		<-time.After(time.Minute)
		q.Warn("again")
		assert.Equal(t, 1, strings.Count(out.String(), "left_out_before"))
	})
}
