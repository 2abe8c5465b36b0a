package estate

import "cmp"

// listeners have the same thing under several names: whichever of them is
// given, the API answers all.
func listeners() *Kind {
	return &Kind{
		Name: "listeners", Prefix: "lis", Key: []string{"name"},
		Fields: common(
			text("name").required(),
			number("port").required(),
			text("address").immutable(),
			text("protocol").or("tcp"),
			number("idle_seconds").or(60),
			text("profile"),
			text("profile_id"),
			text("target_id"),
			text("target_name"),
			text("target_address"),
			flag("log_access", true),
			flag("log_errors", true),
			flag("log_health", false),
		),
		complete: func(s *Store, o Object) {
			o["arn"] = s.arn("network", "listener/"+str(o["name"]))
			name := str(o["name"])
			complete(o, "address", hostIP("10.200.0.0/16", uint64(len(name))))
			complete(o, "profile", cmp.Or(str(o["profile_id"]), "standard"))
			complete(o, "profile_id", str(o["profile"]))
			complete(o, "target_name", cmp.Or(str(o["target_id"]), str(o["target_address"]), name))
			complete(o, "target_id", str(o["target_name"]))
			complete(o, "target_address", str(o["target_name"])+".estate.test")
		},
	}
}

// complete gives an object a text that nobody gave it.
func complete(o Object, field, value string) {
	if str(o[field]) == "" {
		o[field] = value
	}
}
