// In which slot rueidis looks for keys: a command on the key says it, as it does to the cluster client. The package that
// builds commands is internal to the module, which is why this one is named as if it were a part of it.
package main

import (
	"github.com/redis/rueidis/internal/cmds"
	"keyfall/oracle"
)

func main() {
	builder := cmds.NewBuilder(cmds.InitSlot) // as a cluster client's B() is
	place := oracle.Each(func(_ oracle.Params, key any) (oracle.Outcome, error) {
		data, err := oracle.Bytes(key)
		if err != nil {
			return oracle.Error(err.Error()), nil
		}
		if data == nil {
			return oracle.Error("a Go string is never nil"), nil
		}
		return oracle.Observe(func() (int, error) {
			command := builder.Get().Key(string(data)).Build()
			defer cmds.PutCompleted(command)
			return int(command.Slot()), nil
		})
	})
	oracle.Serve("rueidis", oracle.Version("github.com/redis/rueidis"), map[string]oracle.Scheme{"redis/cluster": place})
}
