locals {
  greeting = "Hello, $${name}!"
  listing  = "%%{ for x in xs ~}$${x};%%{ endfor ~}"
  loud     = "$${upper(name)}"
}
