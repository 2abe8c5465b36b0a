package broker

// pulumiSchema is the schema of the package "pulumi", which no plugin has: its
// resources are the engine's own.
const pulumiSchema = `{
  "name": "pulumi",
  "displayName": "Pulumi",
  "version": "3.0.0",
  "description": "Resources that the Pulumi engine provides itself.",
  "language": {"go": {"importBasePath": "github.com/pulumi/pulumi/sdk/v3/go/pulumi"}},
  "provider": {
    "inputProperties": {
      "name": {"type": "string", "description": "A stack, as organization/project/stack."}
    }
  },
  "resources": {
    "pulumi:index:Stash": {
      "description": "Keeps a value in the state.",
      "properties": {
        "input": {"$ref": "pulumi.json#/Any", "description": "The value given last."},
        "output": {"$ref": "pulumi.json#/Any", "description": "The value kept."}
      },
      "required": ["input", "output"],
      "inputProperties": {
        "input": {"$ref": "pulumi.json#/Any", "description": "The value to keep."}
      },
      "requiredInputs": ["input"]
    },
    "pulumi:pulumi:StackReference": {
      "description": "Reads the outputs of another stack.",
      "properties": {
        "name": {"type": "string", "description": "The stack."},
        "outputs": {"type": "object", "additionalProperties": {"$ref": "pulumi.json#/Any"}, "description": "The stack's outputs."},
        "secretOutputNames": {"type": "object", "additionalProperties": {"type": "string"}, "description": "The outputs that are secret."}
      },
      "required": ["outputs"],
      "inputProperties": {
        "name": {"type": "string", "description": "The stack, as organization/project/stack."}
      }
    }
  }
}
`
