package estate

import (
	"fmt"
	"strconv"
	"strings"
)

func (g *gardener) network(i int) Object {
	id := name(i, len(stages), stage(i))
	obj := Object{
		"name": id, "cidr": fmt.Sprintf("10.%d.0.0/16", i%256), "tags": g.tags(i, id),
		"description": "The " + id + " network",
	}
	if i%3 == 0 {
		obj["dns"] = Object{"servers": []any{"10.0.0.2", "10.0.0.3"}, "search_domains": []any{id + ".estate.test"}}
		obj["mtu"] = num(9000)
	}
	if i%3 == 2 {
		obj["enable_dns"] = false
	}
	return obj
}

func (g *gardener) subnet(i int) Object {
	network := g.pick("networks", i)
	round := i / len(g.made["networks"])
	zone := zones[round%len(zones)]
	id := name(round, len(zones), str(network["name"]), zone[len(zone)-1:])
	base := strings.TrimSuffix(str(network["cidr"]), ".0.0/16")
	obj := Object{
		"name": id, "network_id": network["id"], "zone": zone,
		"cidr": fmt.Sprintf("%s.%d.0/24", base, round%256), "tags": g.tags(i, id),
		"public": round%3 == 0,
	}
	if i%4 == 1 {
		obj["routes"] = []any{
			Object{"destination": "0.0.0.0/0", "next_hop": base + ".0.1"},
			Object{"destination": "192.168.0.0/16", "next_hop": base + ".0.254", "metric": num(50)},
		}
	}
	return obj
}

func (g *gardener) securityGroup(i int) Object {
	id := name(i, len(apps)*3, app(i), [...]string{"web", "db", "cache"}[i/len(apps)%3])
	obj := Object{
		"name": id, "network_id": g.pick("networks", i)["id"], "tags": g.tags(i, id),
		"ingress": []any{
			Object{"protocol": "tcp", "from_port": num(443), "to_port": num(443), "cidrs": []any{"0.0.0.0/0", "::/0"}},
		},
		"egress": []any{Object{"protocol": "any", "from_port": num(0), "to_port": num(0), "cidrs": []any{"0.0.0.0/0"}}},
	}
	if i%3 == 1 {
		obj["description"] = "Lets " + id + " talk to its friends"
	}
	if i > 1 {
		obj["ingress"] = append(obj["ingress"].([]any), Object{
			"protocol": "tcp", "from_port": num(5432), "to_port": num(5432),
			"source_group_id": g.pick("security_groups", i-2)["id"], "description": "database",
		})
	}
	return obj
}

func (g *gardener) dnsRecord(i int) Object {
	target := g.pick("instances", i)
	zone := stage(i) + ".estate.test"
	obj := Object{"zone": zone, "name": name(i, len(apps)*len(stages), app(i)+strconv.Itoa(i%len(stages))), "type": "A"}
	switch i % 4 {
	case 0:
		obj["values"] = []any{target["private_ip"]}
	case 1:
		obj["alias"] = Object{"target_id": target["id"]}
		obj["comment"] = "follows the machine"
	case 2:
		obj["type"] = "TXT"
		obj["values"] = []any{`v=spf1 include:"estate.test" ~all`, "second; value"}
		obj["ttl"] = num(3600)
	case 3:
		obj["name"] = "*." + str(obj["name"])
		obj["values"] = []any{"192.0.2.10", "192.0.2.11"}
		obj["ttl"] = num(60)
	}
	return obj
}

// entangle makes what no order of creation could: the first two security
// groups refer to each other, and the third to itself.
func (g *gardener) entangle() error {
	groups := g.made["security_groups"]
	link := func(from, to int) error {
		if from >= len(groups) || to >= len(groups) {
			return nil
		}
		obj := sendable(g.store.kinds["security_groups"], groups[from])
		ingress, _ := obj["ingress"].([]any)
		obj["ingress"] = append(ingress, Object{
			"protocol": "tcp", "from_port": num(8080), "to_port": num(8080),
			"source_group_id": groups[to]["id"], "description": "entangled",
		})
		_, err := g.store.Update("security_groups", str(groups[from]["id"]), obj)
		return err
	}
	for _, pair := range [...][2]int{{0, 1}, {1, 0}, {2, 2}} {
		if err := link(pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// listener says little that is not a default, and each time something else.
func (g *gardener) listener(i int) Object {
	obj := Object{"name": fmt.Sprintf("listener-%02d", i+1), "port": num(8000 + i)}
	if i%2 == 1 {
		obj["protocol"] = "udp"
	}
	if i%3 == 1 {
		obj["idle_seconds"], obj["log_errors"] = num(30), false
	}
	if i%4 == 2 {
		obj["log_access"], obj["log_errors"], obj["log_health"] = false, false, true
	}
	if i%5 == 3 {
		obj["target_id"], obj["profile"] = fmt.Sprintf("tgt-%04d", i), "strict"
	}
	return obj
}
