# PostgreSQL. Everything goes by its name. Roles, databases and servers have
# names of their own in a cluster or in the database that the provider is
# connected to; schemas are named anew in each database.

postgresql_database = {
  "owner" = postgresql_role.name
}

postgresql_role = {
  "roles[]"     = postgresql_role.name
  "assume_role" = postgresql_role.name
}

postgresql_grant_role = {
  "role"       = postgresql_role.name
  "grant_role" = postgresql_role.name
}

postgresql_schema = {
  "database"      = postgresql_database.name
  "owner"         = postgresql_role.name
  "policy[].role" = postgresql_role.name
}

postgresql_extension = {
  "database" = postgresql_database.name
  "schema"   = postgresql_schema[database].name
}

postgresql_function = {
  "database" = postgresql_database.name
  "schema"   = postgresql_schema[database].name
}

postgresql_grant = {
  "database" = postgresql_database.name
  "schema"   = postgresql_schema[database].name
  "role"     = postgresql_role.name
}

postgresql_default_privileges = {
  "database" = postgresql_database.name
  "schema"   = postgresql_schema[database].name
  "owner"    = postgresql_role.name
  "role"     = postgresql_role.name
}

postgresql_publication = {
  "database" = postgresql_database.name
  "owner"    = postgresql_role.name
}

postgresql_subscription = {
  "database" = postgresql_database.name
}

postgresql_replication_slot = {
  "database" = postgresql_database.name
}

postgresql_server = {
  "server_owner" = postgresql_role.name
}

postgresql_user_mapping = {
  "server_name" = postgresql_server.server_name
  "user_name"   = postgresql_role.name
}
