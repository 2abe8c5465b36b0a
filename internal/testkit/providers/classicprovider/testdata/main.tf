terraform {
  required_providers {
    classic = { source = "registry.opentofu.org/formation-iac/classic" }
  }
}

provider "classic" {}

resource "classic_network" "main" {
  name = "main"
  cidr = "10.0.0.0/16"
  dns {
    servers = ["10.0.0.2"]
  }
  tags = { "Größe" = "\"xl\" $${x} %%{y}" }
}

resource "classic_subnet" "a" {
  name       = "a"
  network_id = classic_network.main.id
  cidr       = "10.0.1.0/24"
  zone       = "eu-north-1a"
  route {
    destination = "0.0.0.0/0"
    next_hop    = "10.0.0.1"
  }
}

resource "classic_security_group" "web" {
  name       = "web"
  network_id = classic_network.main.id
  ingress {
    protocol  = "tcp"
    from_port = 443
    to_port   = 443
    cidrs     = ["0.0.0.0/0"]
  }
  egress = [{
    protocol        = "any"
    from_port       = 0
    to_port         = 0
    cidrs           = ["0.0.0.0/0"]
    source_group_id = null
    description     = null
  }]
}

resource "classic_role" "app" {
  name          = "app"
  assume_policy = <<-EOT
    {
      "Version": "2024-01-01",
      "Statement": []
    }
  EOT
  inline_policy {
    name     = "logs"
    document = jsonencode({ b = 1, a = "x" })
  }
}

resource "classic_bucket" "logs" {
  name = "logs"
}

resource "classic_bucket" "data" {
  name          = "data"
  force_destroy = true
  policy        = "{ \"b\": 1,  \"a\": [true] }"
  versioning {
    enabled = true
  }
  logging {
    target_bucket = classic_bucket.logs.id
  }
  replication {
    role = classic_role.app.arn
    rules {
      id = "all"
      destination {
        bucket = classic_bucket.logs.arn
      }
    }
  }
  lifecycle_rule {
    id          = "tmp"
    expire_days = 7
  }
}

resource "classic_bucket_object" "note" {
  bucket  = classic_bucket.data.name
  key     = "notes/one.txt"
  content = "one\ntwo\n"
}

resource "classic_instance" "web" {
  name               = "web"
  image              = "debian-13"
  subnet_id          = classic_subnet.a.id
  security_group_ids = [classic_security_group.web.id]
  role_arn           = classic_role.app.arn
  api_token          = "synthetic-token"
  cpu_ratio          = 1.5
  boot_order         = ["disk"]
  metadata_json      = jsonencode({ rack = 7, labels = ["a", 1, true] })
  disk {
    name    = "root"
    size_gb = 20
  }
  disk {
    name      = "data"
    size_gb   = 5
    encrypted = false
  }
  mount {
    bucket = classic_bucket.data.name
    path   = "/srv"
  }
  user_data = <<-EOT
    #!/bin/sh
    echo "$${HOME}"
  EOT
  timeouts {
    create = "3m"
  }
}

resource "classic_dns_record" "web" {
  zone   = "Estate.test."
  name   = "web"
  type   = "A"
  values = [classic_instance.web.private_ip]
}

resource "classic_dns_record" "alias" {
  zone = "estate.test"
  name = "alias"
  type = "ALIAS"
  alias {
    target_id = classic_instance.web.id
  }
}

resource "classic_db_user" "owner" {
  name     = "owner"
  password = "synthetic-password"
}

resource "classic_db_user" "app" {
  name      = "app"
  password  = "synthetic-password"
  server_id = classic_instance.web.id
  member_of = [classic_db_user.owner.name]
  grant {
    database   = "app"
    privileges = ["CONNECT", "CREATE"]
  }
}

data "classic_network" "main" {
  name       = "main"
  depends_on = [classic_network.main]
}
