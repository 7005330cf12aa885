package console

import (
	"encoding/json"
	"net/http"
)

// Problem says why a request is refused; the list is closed.
type Problem string

// The problems.
const (
	WrongHost       Problem = "wrong_host"
	WrongOrigin     Problem = "wrong_origin"
	WrongMethod     Problem = "wrong_method"
	NoSuchPage      Problem = "no_such_page"
	NotSignedIn     Problem = "not_signed_in"
	LinkUsed        Problem = "link_used"
	NotJSON         Problem = "not_json"
	TooLarge        Problem = "too_large"
	BadBody         Problem = "bad_body"
	UnknownQuestion Problem = "unknown_question"
	AlreadyDecided  Problem = "already_decided"
	PhraseDiffers   Problem = "phrase_differs"
	TooManyStreams  Problem = "too_many_streams"
)

// problems gives each its status and what a person is told.
var problems = map[Problem]struct {
	status int
	hint   string
}{
	WrongHost:       {http.StatusMisdirectedRequest, "This page answers only under the address that the server printed."},
	WrongOrigin:     {http.StatusForbidden, "Only this page itself may ask that."},
	WrongMethod:     {http.StatusMethodNotAllowed, "This address does not take that method."},
	NoSuchPage:      {http.StatusNotFound, "There is nothing at this address."},
	NotSignedIn:     {http.StatusUnauthorized, "Open the link that the server printed at its start."},
	LinkUsed:        {http.StatusForbidden, "This link was used before, and works once. Go on in the browser that opened it; from there you can make a link for another one."},
	NotJSON:         {http.StatusUnsupportedMediaType, "The body must be application/json."},
	TooLarge:        {http.StatusRequestEntityTooLarge, "The body is too long."},
	BadBody:         {http.StatusBadRequest, "The body is not what this address takes."},
	UnknownQuestion: {http.StatusNotFound, "No call with this id waits."},
	AlreadyDecided:  {http.StatusConflict, "This call does not wait any more."},
	PhraseDiffers:   {http.StatusUnprocessableEntity, "To approve what nothing undoes, type the text that is shown, exactly."},
	TooManyStreams:  {http.StatusServiceUnavailable, "Too many pages are open."},
}

func refuse(w http.ResponseWriter, p Problem) {
	answer(w, problems[p].status, map[string]string{"error": string(p), "hint": problems[p].hint})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(true)
	// A client that is gone hears nothing.
	_ = e.Encode(v)
}
