terraform {
  required_providers {
    estate = { source = "registry.opentofu.org/formation-iac/estate" }
  }
}

provider "estate" {}

resource "estate_network" "main" {
  name = "main"
  cidr = "10.0.0.0/16"
  dns  = { servers = ["10.0.0.2"] }
  tags = { "Größe" = "\"xl\" $${x} %%{y}" }
}

resource "estate_subnet" "a" {
  name       = "a"
  network_id = estate_network.main.id
  cidr       = "10.0.1.0/24"
  zone       = "eu-north-1a"
  routes     = [{ destination = "0.0.0.0/0", next_hop = "10.0.0.1" }]
}

resource "estate_security_group" "web" {
  name       = "web"
  network_id = estate_network.main.id
  ingress {
    protocol  = "tcp"
    from_port = 443
    to_port   = 443
    cidrs     = ["0.0.0.0/0"]
  }
  egress {
    protocol  = "any"
    from_port = 0
    to_port   = 0
  }
}

resource "estate_role" "app" {
  name          = "app"
  assume_policy = <<-EOT
    {
      "Version": "2024-01-01",
      "Statement": []
    }
  EOT
  policies      = { logs = { document = jsonencode({ b = 1, a = "<x>" }) } }
}

resource "estate_bucket" "logs" {
  name = "logs"
}

resource "estate_bucket" "data" {
  name          = "data"
  force_destroy = true
  policy        = "{ \"b\": 1,  \"a\": [true] }"
  versioning    = { enabled = true }
  logging {
    target_bucket = estate_bucket.logs.id
  }
  replication {
    role = estate_role.app.arn
    rules {
      id = "all"
      destination {
        bucket = estate_bucket.logs.arn
      }
    }
  }
  lifecycle_rules = [{ id = "tmp", expire_days = 7 }]
}

resource "estate_bucket_object" "note" {
  bucket  = estate_bucket.data.name
  key     = "notes/one.txt"
  content = "one\ntwo\n"
}

resource "estate_instance" "web" {
  name               = "web"
  image              = "debian-13"
  subnet_id          = estate_subnet.a.id
  security_group_ids = [estate_security_group.web.id]
  role_arn           = estate_role.app.arn
  api_token          = "synthetic-token"
  cpu_ratio          = 1.1
  disks              = { root = { size_gb = 20 }, data = { size_gb = 5, encrypted = false } }
  boot_order         = ["disk"]
  metadata           = { rack = 7, labels = ["a", 1, true], nothing = {} }
  user_data          = <<-EOT
    #!/bin/sh
    echo "$${HOME}"
  EOT
  mounts {
    bucket = estate_bucket.data.name
    path   = "/srv"
  }
}

resource "estate_dns_record" "web" {
  zone   = "estate.test"
  name   = "web"
  type   = "A"
  values = [estate_instance.web.private_ip]
}

resource "estate_dns_record" "alias" {
  zone  = "estate.test"
  name  = "alias"
  type  = "ALIAS"
  alias = { target_id = estate_instance.web.id }
}

resource "estate_db_user" "owner" {
  name                = "owner"
  password_wo         = "synthetic-password"
  password_wo_version = 1
}

resource "estate_db_user" "app" {
  name      = "app"
  password  = "synthetic-password"
  server_id = estate_instance.web.id
  member_of = [estate_db_user.owner.name]
  grants    = [{ database = "app", privileges = ["CONNECT", "CREATE"] }]
}

data "estate_network" "main" {
  name       = "main"
  depends_on = [estate_network.main]
}

output "account" {
  value = provider::estate::arn_parse(estate_role.app.arn).account
}

output "built" {
  value = provider::estate::arn_build("iam", "role", null, "app")

  precondition {
    condition     = provider::estate::arn_build("iam", "role", null, estate_role.app.name) == "arn:estate:iam:::role/app"
    error_message = "arn_build joins what is not null."
  }
}

data "estate_zones" "all" {
  depends_on = [estate_subnet.a]

  lifecycle {
    postcondition {
      condition     = self.zones == tolist(["eu-north-1a"])
      error_message = "The zones are those of the subnets."
    }
  }
}

ephemeral "estate_token" "one" {
  audience = "tests"
}
