package estate

import (
	"encoding/json"
	"fmt"
	"strings"
)

// instance repeats names now and then, as people do.
func (g *gardener) instance(i int) Object {
	id := name(i, len(apps)*len(stages), app(i), stage(i/len(apps)), "vm")
	if i%12 == 11 {
		id = "1st legacy box (do not touch)"
	}
	subnet := g.pick("subnets", i)
	obj := Object{
		"name": id, "subnet_id": subnet["id"], "tags": g.tags(i, id),
		"security_group_ids": []any{g.pick("security_groups", i)["id"], g.pick("security_groups", i+3)["id"]},
		"role_arn":           g.pick("roles", i)["arn"],
		"disks":              Object{"root": Object{"size_gb": num(20 + 10*(i%4))}},
		"api_token":          fmt.Sprintf("synthetic-secret-%06d", 417*(i+1)),
	}
	if i%5 == 4 {
		obj["snapshot_id"] = fmt.Sprintf("snap-%06x", 4096+i)
	} else {
		obj["image"] = "debian-13"
	}
	g.dress(obj, i)
	return obj
}

// dress adds what only some instances have.
func (g *gardener) dress(obj Object, i int) {
	switch i % 4 {
	case 0:
		obj["user_data"] = fmt.Sprintf(userData, obj["name"])
	case 1:
		obj["size"] = "large"
		obj["cpu_ratio"] = json.Number("1.5")
		obj["disks"].(Object)["data"] = Object{"size_gb": num(500), "type": "hdd", "encrypted": false}
	case 2:
		obj["mounts"] = []any{Object{"bucket": g.pick("buckets", i)["name"], "path": "/srv/data", "read_only": true}}
		obj["monitoring"] = true
	case 3:
		obj["metadata"] = Object{"rack": num(i), "labels": []any{"blue", "größer"}, "spare": false}
		obj["boot_order"] = []any{"disk", "network"}
	}
}

// userData is a script with everything that templates trip over.
const userData = `#!/bin/bash
set -euo pipefail
# %s: ${HOME} stays as it is, and so does %%{if true}.
echo "quotes \" and 'quotes', a tab	and Grüße, 世界" | tee /etc/motd
cat <<MARK
EOT
MARK
`

func (g *gardener) dbUser(i int) Object {
	id := strings.ReplaceAll(name(i, len(apps), app(i)), "-", "_")
	obj := Object{
		"name": id, "password": fmt.Sprintf("synthetic-password-%04d", i),
		"server_id": g.pick("instances", i)["id"],
		"grants": []any{
			Object{"database": id, "privileges": []any{"CONNECT", "CREATE"}},
			Object{"database": "shared", "privileges": []any{"CONNECT"}},
		},
	}
	if i%3 == 1 {
		obj["connection_limit"] = num(20)
		obj["settings"] = Object{"search_path": `"$user", public`, "statement_timeout": "30s"}
	}
	if i > 0 {
		obj["member_of"] = []any{g.pick("db_users", 0)["name"]}
	}
	if i%4 == 3 {
		obj["login"] = false
		obj["valid_until"] = "2030-01-01T00:00:00Z"
	}
	return obj
}
