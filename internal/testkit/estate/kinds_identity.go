package estate

func roles() *Kind {
	return &Kind{
		Name: "roles", Key: []string{"name"},
		Fields: common(
			text("name").required().immutable(),
			text("path").or("/").immutable(),
			text("description"),
			policy("assume_policy").required(),
			nestedIn("policies", Map,
				policy("document").required(),
				text("description"),
			),
			number("max_session").or(3600),
			texts("trusted_role_arns", Set).ref("roles", "arn"),
			texts("tags", Map),
			text("unique_id").computed(),
		),
		complete: func(s *Store, o Object) {
			o["arn"] = s.arn("iam", "role"+str(o["path"])+str(o["name"]))
			o["unique_id"] = s.nextID("AROA", "roles")
		},
	}
}

func dbUsers() *Kind {
	return &Kind{
		Name: "db_users", Key: []string{"name"},
		Fields: common(
			text("name").required().immutable(),
			text("password").required().secret(),
			text("server_id").ref("instances", "id"),
			flag("login", true),
			flag("superuser", false),
			number("connection_limit").or(-1),
			texts("member_of", Set).ref("db_users", "name"),
			nestedIn("grants", Set,
				text("database").required(),
				texts("privileges", Set).required(),
				scalar("with_grant", Bool),
			),
			texts("settings", Map),
			text("valid_until"),
		),
		complete: func(s *Store, o Object) { o["arn"] = s.arn("db", "user/"+str(o["name"])) },
	}
}
