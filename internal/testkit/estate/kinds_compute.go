package estate

import "fmt"

func instances() *Kind {
	return &Kind{
		Name: "instances", Prefix: "i", Key: []string{"name"}, Repeatable: true,
		Fields: common(
			text("name").required(),
			text("image").immutable(),
			text("snapshot_id").immutable(),
			text("size").or("small"),
			text("subnet_id").required().immutable().ref("subnets", "id"),
			texts("security_group_ids", Set).ref("security_groups", "id"),
			text("role_arn").ref("roles", "arn"),
			text("private_ip").immutable(),
			text("user_data"),
			text("user_data_base64"),
			text("api_token"),
			flag("monitoring", false),
			number("cpu_ratio"),
			nestedIn("disks", Map,
				number("size_gb").required(),
				text("type").or("ssd"),
				flag("encrypted", true),
				text("device").computed(),
			),
			nestedIn("mounts", List,
				text("bucket").required().ref("buckets", "name"),
				text("path").required(),
				flag("read_only", false),
			),
			texts("boot_order", List),
			scalar("metadata", Document),
			texts("tags", Map),
			text("state").computed(),
			text("public_ip").computed(),
		),
		rule: func(o Object) error {
			if err := exactlyOne("image", "snapshot_id")(o); err != nil {
				return err
			}
			return atMostOne("user_data", "user_data_base64")(o)
		},
		derive: nameDevices,
		complete: func(s *Store, o Object) {
			o["arn"] = s.arn("compute", "instance/"+str(o["name"]))
			o["state"] = "running"
			s.address(o)
		},
	}
}

// nameDevices gives each disk its device, in the order of the disks' names.
func nameDevices(o Object) {
	disks, _ := o["disks"].(Object)
	for i, name := range names(disks) {
		disks[name].(Object)["device"] = fmt.Sprintf("/dev/disk%d", i)
	}
}
