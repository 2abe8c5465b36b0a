package translate

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// FilePaths replaces the assets and archives that are files by their paths,
// which is what Terraform gets of them. Engines leave the paths out of most
// calls, so inputs must hold them from the start.
func FilePaths(m property.Map) property.Map {
	return filePaths(property.New(m)).AsMap()
}

func filePaths(v property.Value) property.Value {
	switch {
	case v.IsMap():
		return eachMember(v, func(_ string, member property.Value) property.Value { return filePaths(member) })
	case v.IsArray():
		return eachElement(v, func(_ int, element property.Value) property.Value { return filePaths(element) })
	}
	if path := filePath(v); path != "" {
		return property.WithGoValue(v, path)
	}
	return v
}

// filePath is the path of an asset or archive that is a file, and "" of
// everything else.
func filePath(v property.Value) string {
	switch {
	case v.IsAsset():
		return v.AsAsset().Path
	case v.IsArchive():
		return v.AsArchive().Path
	default:
		return ""
	}
}
