package gdscript

import (
	"bufio"
	"fmt"
	"os"
	"testing"
)

func TestTmp(t *testing.T) {
	f, err := os.Open(os.Getenv("GDLIST"))
	if err != nil {
		return
	}
	s := bufio.NewScanner(f)
	var k *Known
	if os.Getenv("GDKNOWN") != "" {
		k = &Known{Class: func(n string) bool { return false }}
	}
	for s.Scan() {
		b, _ := os.ReadFile(s.Text())
		r := Check(string(b), k)
		fmt.Printf("@@%s\t%d\n", s.Text(), len(r))
		for _, x := range r {
			fmt.Printf("  %d:%d\tParse Error: %s\n", x.Line, x.Column, x.Message)
		}
	}
}
