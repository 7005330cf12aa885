package server

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server/answer"
)

// heldAnswers counts answers between the end of their call and their way out on
// stdio. Which answer is written first does not matter for the sum. It counts
// only once a transport has said that it tells when answers are written.
type heldAnswers struct {
	mu    sync.Mutex
	on    bool
	sizes []int64
	sum   int64
}

func (h *heldAnswers) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on = true
}

func (h *heldAnswers) made(size int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.on {
		h.sizes = append(h.sizes, size)
		h.sum += size
	}
}

func (h *heldAnswers) written() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sizes) > 0 {
		h.sum -= h.sizes[0]
		h.sizes = h.sizes[1:]
	}
}

func (h *heldAnswers) bytes() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sum
}

// hold counts an answer that was made for a client over HTTP; negative when it
// went out.
func (l *limits) hold(c *load, size int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heldWeb += size
	c.held += size
}

// sizeOf is about the memory of an answer.
func sizeOf(res mcp.Result) int64 {
	size := int64(0)
	switch r := res.(type) {
	case *mcp.CallToolResult:
		if r == nil { // a protocol error in place of an answer
			return 0
		}
		for _, c := range r.Content {
			switch c := c.(type) {
			case *mcp.TextContent:
				size += int64(len(c.Text))
			case *mcp.ImageContent:
				size += int64(len(c.Data))
			}
		}
		if raw, ok := r.StructuredContent.(json.RawMessage); ok {
			size += int64(len(raw))
		}
	case *mcp.ReadResourceResult:
		for _, c := range r.Contents {
			size += int64(len(c.Text) + len(c.Blob))
		}
	}
	return size
}

// limit bounds the calls and reads that run at once, those that wait for that,
// those of a minute, and the answers that nobody has read yet.
func (s *Server) limit(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != methodCall && method != methodRead {
			return next(ctx, method, req)
		}
		web := webCallOf(ctx)
		c, seat, f, err := s.limits.enter(ctx, keyOf(web, req))
		var res mcp.Result
		switch {
		case f != nil:
			res = refusedBy(f, req)
		case err == nil:
			defer seat.leave()
			res, err = next(context.WithValue(ctx, seatKey{}, seat), method, req)
		}
		switch {
		case web != nil:
			web.hold(s.limits, c, sizeOf(res))
		case method == methodCall:
			s.limits.held.made(sizeOf(res))
		}
		return res, err
	}
}

// keyOf names the client of a request.
func keyOf(web *webCall, req mcp.Request) clientKey {
	if web != nil {
		return web.client
	}
	// The sender of an HTTP request may be gone before its call begins.
	if s := req.GetSession(); s != nil {
		return clientKey{session: s.ID()}
	}
	return clientKey{}
}

// refusedBy is a refusal as the answer of a call or a read.
func refusedBy(f *answer.Failure, req mcp.Request) mcp.Result {
	if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: p.URI, MIMEType: "application/json", Text: string(f.JSON())}}}
	}
	return failed(f)
}
