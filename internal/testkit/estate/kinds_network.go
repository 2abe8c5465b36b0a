package estate

import "strings"

func networks() *Kind {
	return &Kind{
		Name: "networks", Prefix: "net", Key: []string{"name"},
		Fields: common(
			text("name").required(),
			text("cidr").required().immutable(),
			text("description"),
			flag("enable_dns", true),
			number("mtu").or(1500),
			nested("dns",
				texts("servers", List),
				texts("search_domains", List),
				flag("forwarding", false),
			),
			texts("tags", Map),
		),
		complete: func(s *Store, o Object) { o["arn"] = s.arn("network", "network/"+str(o["name"])) },
	}
}

func subnets() *Kind {
	return &Kind{
		Name: "subnets", Prefix: "sub", Key: []string{"name"},
		Fields: common(
			text("name").required(),
			text("network_id").required().immutable().ref("networks", "id"),
			text("cidr").required().immutable(),
			text("zone").required().immutable(),
			flag("public", false),
			text("gateway_ip").immutable(),
			nestedIn("routes", List,
				text("destination").required(),
				text("next_hop").required(),
				number("metric"),
			),
			texts("tags", Map),
		),
		complete: func(s *Store, o Object) {
			o["arn"] = s.arn("network", "subnet/"+str(o["name"]))
			if str(o["gateway_ip"]) == "" {
				o["gateway_ip"] = hostIP(str(o["cidr"]), 1)
			}
		},
	}
}

func securityGroups() *Kind {
	rule := []Field{
		text("protocol").required(),
		number("from_port").required(),
		number("to_port").required(),
		texts("cidrs", Set),
		text("source_group_id").weakRef("security_groups", "id"),
		text("description"),
	}
	return &Kind{
		Name: "security_groups", Prefix: "sg", Key: []string{"name"},
		Fields: common(
			text("name").required().immutable(),
			text("network_id").required().immutable().ref("networks", "id"),
			text("description").or("Managed by the estate"),
			nestedIn("ingress", Set, rule...),
			nestedIn("egress", List, rule...),
			texts("tags", Map),
		),
		complete: func(s *Store, o Object) { o["arn"] = s.arn("network", "security-group/"+str(o["name"])) },
	}
}

func dnsRecords() *Kind {
	return &Kind{
		Name: "dns_records", Key: []string{"zone", "name", "type"},
		Fields: common(
			text("zone").required().immutable(),
			text("name").required().immutable(),
			text("type").required().immutable(),
			number("ttl").or(300),
			texts("values", Set),
			nested("alias",
				text("target_id").required().ref("instances", "id"),
				flag("evaluate_health", true),
			),
			text("comment"),
			text("fqdn").computed(),
		),
		rule: exactlyOne("values", "alias"),
		// Zones are written in lower case and without the final dot.
		derive: func(o Object) { o["zone"] = strings.ToLower(strings.TrimSuffix(str(o["zone"]), ".")) },
		complete: func(s *Store, o Object) {
			o["arn"] = s.arn("dns", "record/"+str(o["id"]))
			o["fqdn"] = str(o["name"]) + "." + str(o["zone"])
		},
	}
}
