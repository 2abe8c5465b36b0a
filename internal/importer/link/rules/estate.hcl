# The synthetic estate that the tests and the demo import, over its provider
# of protocol 6.

estate_subnet = {
  "network_id" = estate_network.id
}

estate_security_group = {
  "network_id"                = estate_network.id
  "ingress[].source_group_id" = estate_security_group.id
  "egress[].source_group_id"  = estate_security_group.id
}

estate_role = {
  "trusted_role_arns[]" = estate_role.arn

  "assume_policy.Statement[].Principal.Role" = estate_role.arn
  "policies[].document.Statement[].Resource" = [
    estate_bucket.arn, estate_role.arn, estate_instance.arn, estate_bucket_object.arn, "${estate_bucket.arn}/${any}",
  ]
}

estate_bucket = {
  "logging[].target_bucket"                = estate_bucket.id
  "replication.role"                       = estate_role.arn
  "replication.rules[].destination.bucket" = estate_bucket.arn

  "policy.Statement[].Principal.Role" = estate_role.arn
  "policy.Statement[].Resource"       = [estate_bucket.arn, "${estate_bucket.arn}/${any}"]
}

estate_bucket_object = {
  "bucket" = estate_bucket.id
}

estate_instance = {
  "subnet_id"            = estate_subnet.id
  "security_group_ids[]" = estate_security_group.id
  "role_arn"             = estate_role.arn
  "mounts[].bucket"      = estate_bucket.name
}

estate_dns_record = {
  "values[]"        = [estate_instance.private_ip, estate_instance.public_ip]
  "alias.target_id" = estate_instance.id
}

estate_db_user = {
  "server_id"   = estate_instance.id
  "member_of[]" = estate_db_user.name
}

estate_ledger = {
  "bucket" = estate_bucket.id
}
