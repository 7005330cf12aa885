package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxLine = 16 << 20
	// drainLimit is how long answers may still come after the input ended. A
	// client that is gone is left within a second.
	drainLimit = 800 * time.Millisecond
	// maxUnanswered is how many requests may be without an answer before no more
	// input is read: a client that sends and never reads stops itself.
	maxUnanswered = 4096
)

// lines is an MCP transport over newline-delimited JSON. Unlike the SDK's it
// survives lines that are no message (they are answered and skipped), sends
// the answers that are under way when its input ends, and ends when its output
// breaks.
type lines struct {
	in  io.Reader
	out io.Writer
	max int
	// broken is closed when somebody else finds the output broken.
	broken <-chan struct{}
	// gone, if set, is closed when there is nothing more to read and the
	// answers under way had their time.
	gone chan struct{}
	// held, if set, is told when the answer to a call was written.
	held *heldAnswers
	conn *lineConn // once it is connected
}

// Connect implements [mcp.Transport].
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{
		lines: l, incoming: make(chan jsonrpc.Message), closed: make(chan struct{}), ended: make(chan struct{}),
		pending: map[any]int{}, used: map[any]bool{}, cancelled: map[any]bool{}, calls: map[any]bool{}, streams: map[any]bool{},
		idle: make(chan struct{}, 1), eased: make(chan struct{}, 1),
	}
	l.conn = c
	go c.read()
	return c, nil
}

type lineConn struct {
	*lines
	incoming chan jsonrpc.Message
	ended    chan struct{} // no more input

	closeOnce sync.Once
	closed    chan struct{}
	goneOnce  sync.Once

	writeMu sync.Mutex

	mu        sync.Mutex
	pending   map[any]int  // requests without an answer, by id
	used      map[any]bool // their ids, free again just before the answer is written
	cancelled map[any]bool // those among them that the client gave up
	calls     map[any]bool // those among them that call a tool
	streams   map[any]bool // those among them that stay open for news
	idle      chan struct{}
	eased     chan struct{} // an answer was written
}

func (c *lineConn) SessionID() string { return "" }

// Close ends the connection; a reader that blocks on input ends with it.
func (c *lineConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	if closer, ok := c.in.(io.Closer); ok {
		// Errors do not matter: nothing is read any more.
		_ = closer.Close()
	}
	return nil
}

// Read gives the next message. After the end of input it first waits for the
// answers under way.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.next(ctx)
	if errors.Is(err, io.EOF) && c.gone != nil {
		c.goneOnce.Do(func() { close(c.gone) })
	}
	return m, err
}

func (c *lineConn) next(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.incoming:
		return m, nil
	default:
	}
	select {
	case m := <-c.incoming:
		return m, nil
	case <-c.ended:
		c.drain(ctx)
		return nil, io.EOF
	case <-c.broken:
		return nil, io.EOF
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *lineConn) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, drainLimit)
	defer cancel()
	c.flush(ctx)
}

// flush waits until everything is answered that will be.
func (c *lineConn) flush(ctx context.Context) {
	for !c.answered() {
		select {
		case <-c.idle:
		case <-c.broken:
			return
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
	c.tellIdle() // somebody else may wait too
}

func (c *lineConn) tellIdle() {
	select {
	case c.idle <- struct{}{}:
	default:
	}
}

func (c *lineConn) answered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answeredLocked()
}

func (c *lineConn) answeredLocked() bool { return len(c.pending) == len(c.streams) }

// Write sends one message as one line. The answer to a request that the client
// cancelled is dropped: nothing may be sent for it any more.
func (c *lineConn) Write(_ context.Context, msg jsonrpc.Message) error {
	r, isResponse := msg.(*jsonrpc.Response)
	if isResponse {
		c.free(r.ID.Raw())
	}
	if isResponse && c.gaveUp(r.ID.Raw()) {
		c.settle(r.ID.Raw())
		return nil
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil && isResponse {
		// The SDK would take the connection for broken.
		data, err = jsonrpc.EncodeMessage(&jsonrpc.Response{ID: r.ID, Error: internalFault()})
	}
	if err != nil {
		return err
	}
	err = c.writeLine(data)
	if isResponse {
		c.settle(r.ID.Raw())
	}
	return err
}

func (c *lineConn) gaveUp(id any) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cancelled[id]
}

// isUsed says whether a request with this id is under way.
func (c *lineConn) isUsed(id any) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used[id]
}

// free lets a client that has read the answer use the id again.
func (c *lineConn) free(id any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.used, id)
}

// note remembers what a request means for later answers.
func (c *lineConn) note(r *jsonrpc.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.ID.IsValid() {
		c.pending[r.ID.Raw()]++
		c.used[r.ID.Raw()] = true
		switch r.Method {
		case methodCall:
			c.calls[r.ID.Raw()] = true
		case methodListen:
			c.streams[r.ID.Raw()] = true
		}
		return
	}
	if r.Method != methodCancelled {
		return
	}
	// Letter case counts, as it does for the SDK: an answer that is dropped for a
	// call which goes on would never come.
	var given any
	raw := members(r.Params)["requestId"]
	if !exact(raw) || json.Unmarshal(raw, &given) != nil {
		return
	}
	if id, err := jsonrpc.MakeID(given); err == nil && c.pending[id.Raw()] > 0 {
		c.cancelled[id.Raw()] = true
	}
}

func (c *lineConn) writeLine(data []byte) error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	select {
	case <-c.closed:
		return io.ErrClosedPipe
	default:
	}
	_, err := c.out.Write(append(data, '\n'))
	if err != nil {
		_ = c.Close()
	}
	return err
}

func (c *lineConn) settle(id any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[id]--; c.pending[id] <= 0 {
		delete(c.pending, id)
		delete(c.cancelled, id)
		delete(c.streams, id)
	}
	if c.held != nil && c.calls[id] {
		c.held.written()
	}
	delete(c.calls, id)
	select {
	case c.eased <- struct{}{}:
	default:
	}
	if c.answeredLocked() {
		c.tellIdle()
	}
}

// read splits the input into lines until it ends.
func (c *lineConn) read() {
	defer close(c.ended)
	r := bufio.NewReaderSize(c.in, 64<<10)
	for {
		line, tooLong, err := nextLine(r, c.max)
		switch {
		case tooLong:
			c.refuse(nil, jsonrpc.CodeInvalidRequest, "the line is longer than the limit")
		case len(line) > 0:
			if !c.accept(line) {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// accept passes a message on; false when the connection was closed meanwhile.
func (c *lineConn) accept(line []byte) bool {
	msg, id, fault := parse(line)
	if fault != nil {
		c.refuse(id, fault.Code, fault.Message)
		return true
	}
	if r, ok := msg.(*jsonrpc.Request); ok {
		// The SDK would drop it without a word.
		if r.ID.IsValid() && c.isUsed(r.ID.Raw()) {
			c.refuse(id, jsonrpc.CodeInvalidRequest, "a request with this id is still under way; every request needs an id of its own")
			return true
		}
		if r.ID.IsValid() && !c.room() {
			return false
		}
		if !exactCancellation(r.Method, r.Params) {
			return true // one that names no request is ignored, as the protocol has it
		}
		c.note(r)
	}
	select {
	case c.incoming <- msg:
		return true
	case <-c.closed:
		return false
	}
}

// room waits until there are few enough requests without an answer; false when
// the connection was closed meanwhile.
func (c *lineConn) room() bool {
	for {
		c.mu.Lock()
		n := len(c.pending)
		c.mu.Unlock()
		if n < maxUnanswered {
			return true
		}
		select {
		case <-c.eased:
		case <-c.closed:
			return false
		case <-c.broken:
			return false
		}
	}
}

func (c *lineConn) refuse(id json.RawMessage, code int64, message string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message}})
	if err == nil {
		_ = c.writeLine(data)
	}
}

// nextLine reads to the next newline. A line above limit is read to its end
// and dropped. The last line may lack the newline.
func nextLine(r *bufio.Reader, limit int) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit+1 {
			line, tooLong = nil, true
		}
		if !tooLong {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return trimLine(line), tooLong, err
	}
}

func trimLine(line []byte) []byte {
	for len(line) > 0 {
		switch line[len(line)-1] {
		case '\n', '\r', ' ', '\t':
			line = line[:len(line)-1]
		default:
			return line
		}
	}
	return line
}
