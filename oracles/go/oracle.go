// Package oracle speaks the oracle protocol for adapters written in Go: JSON lines on stdin and stdout.
package oracle

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"sort"
	"strings"
	"time"
	"unicode/utf16"
)

// Repeats is how often a key is placed before it counts as pinned.
const Repeats = 64

// A decoded key is nil, []byte (never nil), string, UTF16, Typed, Tuple or Fields.
type (
	UTF16  []uint16
	Typed  struct{ Type, Value string }
	Tuple  []any
	Fields map[string]any // a bare JSON value stays a json.RawMessage
)

type Outcome struct {
	Outcome string `json:"outcome"`
	Place   any    `json:"place,omitempty"`
	Hash    string `json:"hash,omitempty"`
	Why     string `json:"why,omitempty"`
}

func Placed(place any) Outcome    { return Outcome{Outcome: "placed", Place: place} }
func Unpinned() Outcome           { return Outcome{Outcome: "unpinned", Why: "one key, placed again, landed in another place"} }
func Rejected(why string) Outcome { return Outcome{Outcome: "rejected", Why: why} }
func Refused(why string) Outcome  { return Outcome{Outcome: "refused", Why: why} }

// Error says that this adapter has no way to hand the key to the client.
func Error(why string) Outcome { return Outcome{Outcome: "error", Why: why} }

// Skipped is returned by a scheme for a request that this source does not answer at all.
type Skipped string

func (s Skipped) Error() string { return string(s) }

type Params map[string]json.RawMessage

// Int is a param of the request, or the fallback where it is absent.
func (p Params) Int(name string, fallback int64) (int64, error) {
	raw, ok := p[name]
	if !ok {
		return fallback, nil
	}
	var value int64
	if err := json.Unmarshal(raw, &value); err != nil {
		return 0, Skipped(name + " is no integer")
	}
	return value, nil
}

// Count is the number of partitions or the like, from 1 to most.
func (p Params) Count(name string, most int64) (int, error) {
	value, err := p.Int(name, 0)
	if err == nil && (value < 1 || value > most) {
		err = Skipped(fmt.Sprintf("%s must be between 1 and %d", name, most))
	}
	return int(value), err
}

// A Scheme answers one request: an outcome for each key, in order.
type Scheme func(params Params, keys []any) ([]Outcome, error)

// Each makes a scheme of a function of one key.
func Each(place func(params Params, key any) (Outcome, error)) Scheme {
	return func(params Params, keys []any) ([]Outcome, error) {
		outcomes := make([]Outcome, len(keys))
		for i, key := range keys {
			if err, malformed := key.(error); malformed {
				outcomes[i] = Error(err.Error())
				continue
			}
			outcome, err := place(params, key)
			if err != nil {
				return nil, err
			}
			outcomes[i] = outcome
		}
		return outcomes, nil
	}
}

// Partitions makes a scheme of a partitioner over bytes (nil is the null key). A key is placed 64 times: in one place, or
// it is unpinned.
func Partitions(most int64, place func(params Params, key []byte, partitions int) (int, error)) Scheme {
	return Each(func(params Params, key any) (Outcome, error) {
		partitions, err := params.Count("partitions", min(most, math.MaxInt32))
		if err != nil {
			return Outcome{}, err
		}
		data, err := Bytes(key)
		if err != nil {
			return Error(err.Error()), nil
		}
		return Observe(func() (int, error) { return place(params, data, partitions) })
	})
}

// Observe places one key 64 times. An error of the client is a rejection, unless it is Skipped.
func Observe(place func() (int, error)) (Outcome, error) {
	var first int
	for i := range Repeats {
		at, err := place()
		var skipped Skipped
		if errors.As(err, &skipped) {
			return Outcome{}, err
		}
		if err != nil {
			return Rejected(err.Error()), nil
		}
		if i == 0 {
			first = at
		}
		if at != first {
			return Unpinned(), nil
		}
	}
	return Placed(first), nil
}

// A Record is to be written to a broker; a nil key is a record without one.
type Record struct {
	Key, Value []byte
	outcome    *Outcome
}

// Fail says that the record was not written; rejected, that the client itself did not take it.
func (r *Record) Fail(err error, rejected bool) {
	if rejected {
		*r.outcome = Rejected(err.Error())
	} else {
		*r.outcome = Error("delivery: " + err.Error())
	}
}

// A Producer writes records to a topic of the broker at KAFKA_BOOTSTRAP, and waits until it has them all. With it an
// adapter also answers "produce", by which servers/kafka makes the client write to a running broker: its README.md.
type Producer func(ctx context.Context, params Params, topic string, records []*Record) error

const deliveryTime = 60 * time.Second

// to is the scheme that writes each key once to a topic. The value of a record says which one it is.
func (produce Producer) to(topic string, seq json.RawMessage, fill int) Scheme {
	return func(params Params, keys []any) ([]Outcome, error) {
		outcomes := make([]Outcome, len(keys))
		var records []*Record
		for i, key := range keys {
			data, err := Bytes(key)
			if err != nil {
				outcomes[i] = Error(err.Error())
				continue
			}
			outcomes[i] = Outcome{Outcome: "produced"}
			value := append(fmt.Appendf(nil, "%s/%d/", seq, i), make([]byte, fill)...)
			records = append(records, &Record{data, value, &outcomes[i]})
		}
		ctx, cancel := context.WithTimeout(context.Background(), deliveryTime)
		defer cancel()
		return outcomes, produce(ctx, params, topic, records)
	}
}

// Bytes is the key of a client that takes bytes: nil for the null key, text as UTF-8.
func Bytes(key any) ([]byte, error) {
	switch key := key.(type) {
	case nil:
		return nil, nil
	case error:
		return nil, key
	case []byte:
		return key, nil
	case string:
		return []byte(key), nil
	case UTF16:
		text := string(utf16.Decode(key))
		if len(utf16.Encode([]rune(text))) != len(key) || !equal(utf16.Encode([]rune(text)), key) {
			return nil, errors.New("a Go string has no lone surrogate")
		}
		return []byte(text), nil
	case Typed:
		switch key.Type {
		case "void":
			return nil, nil
		case "string":
			return []byte(key.Value), nil
		case "bytes":
			return decodeHex(key.Value)
		}
		return nil, errors.New("this client has no serializer for " + key.Type)
	}
	return nil, errors.New("this client has no serializer for such a key")
}

func equal(a, b []uint16) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func decodeHex(text string) ([]byte, error) {
	data, err := hex.DecodeString(text)
	return append([]byte{}, data...), err
}

// Decode reads a KEY of the protocol.
func Decode(raw json.RawMessage) (any, error) {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return nil, nil
	}
	var forms map[string]json.RawMessage
	if err := json.Unmarshal(raw, &forms); err != nil {
		return nil, err
	}
	if len(forms) == 2 && forms["type"] != nil && forms["value"] != nil {
		var typed Typed
		err := json.Unmarshal(raw, &typed)
		return typed, err
	}
	if len(forms) == 1 {
		for form, value := range forms {
			switch form {
			case "hex", "base64", "text":
				var text string
				if err := json.Unmarshal(value, &text); err != nil {
					return nil, err
				}
				if form == "hex" {
					return decodeHex(text)
				}
				if form == "base64" {
					data, err := base64.StdEncoding.DecodeString(text)
					return append([]byte{}, data...), err
				}
				return text, nil
			case "utf16":
				units := UTF16{}
				err := json.Unmarshal(value, (*[]uint16)(&units))
				return units, err
			case "tuple":
				var parts []json.RawMessage
				if err := json.Unmarshal(value, &parts); err != nil {
					return nil, err
				}
				tuple := Tuple{}
				for _, part := range parts {
					key, err := Decode(part)
					if err != nil {
						return nil, err
					}
					tuple = append(tuple, key)
				}
				return tuple, nil
			case "fields":
				var parts map[string]json.RawMessage
				if err := json.Unmarshal(value, &parts); err != nil {
					return nil, err
				}
				fields := Fields{}
				for name, part := range parts {
					if part[0] != '{' && part[0] != 'n' {
						fields[name] = part
						continue
					}
					key, err := Decode(part)
					if err != nil {
						return nil, err
					}
					fields[name] = key
				}
				return fields, nil
			}
		}
	}
	return nil, fmt.Errorf("not a key: %.200s", raw)
}

// Version is the version of a module in this program, without its v.
func Version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				if dependency.Replace != nil && dependency.Replace.Version != "" { // a fork in its place
					dependency = dependency.Replace
				}
				return strings.TrimPrefix(dependency.Version, "v")
			}
		}
	}
	return "unknown"
}

// Serve answers until stop or the end of stdin. Whatever prints to os.Stdout meanwhile is sent to stderr.
func Serve(name, clientVersion string, schemes map[string]Scheme) {
	ServeProducers(name, clientVersion, schemes, nil)
}

// ServeProducers is Serve for an adapter that also produces.
func ServeProducers(name, clientVersion string, schemes map[string]Scheme, producers map[string]Producer) {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	os.Stdout = os.Stderr
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if stop := handle(line, out, name, clientVersion, schemes, producers); stop {
				return
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func handle(line []byte, out *json.Encoder, name, clientVersion string, schemes map[string]Scheme,
	producers map[string]Producer) (stop bool) {
	var request struct {
		Cmd    string
		Seq    json.RawMessage
		Scheme string
		Params Params
		Keys   []json.RawMessage
		Topic  string
		Fill   int
	}
	send := func(message any) {
		if err := out.Encode(message); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := json.Unmarshal(line, &request); err != nil {
		send(map[string]any{"error": err.Error()})
		return false
	}
	switch request.Cmd {
	case "start":
		names := []string{}
		for scheme := range schemes {
			names = append(names, scheme)
		}
		sort.Strings(names)
		send(map[string]any{"version": 1, "name": name, "client_version": clientVersion, "language": "go", "schemes": names})
	case "stop":
		return true
	case "place", "produce":
		reply := map[string]any{"seq": request.Seq}
		scheme, ok := schemes[request.Scheme]
		if request.Cmd == "produce" {
			var producer Producer
			producer, ok = producers[request.Scheme]
			scheme = producer.to(request.Topic, request.Seq, request.Fill)
		}
		if !ok {
			reply["skipped"] = "no such scheme here"
		} else if outcomes, err := ask(scheme, request.Params, request.Keys); err == nil {
			reply["outcomes"] = outcomes
		} else if skipped := Skipped(""); errors.As(err, &skipped) {
			reply["skipped"] = skipped.Error()
		} else {
			reply["error"] = err.Error()
		}
		send(reply)
	default:
		send(map[string]any{"seq": request.Seq, "error": "unknown command"})
	}
	return false
}

func ask(scheme Scheme, params Params, raw []json.RawMessage) (outcomes []Outcome, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", panicked, debug.Stack())
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	keys := make([]any, len(raw))
	for i := range raw {
		key, err := Decode(raw[i])
		if err != nil {
			key = err
		}
		keys[i] = key
	}
	return scheme(params, keys)
}
