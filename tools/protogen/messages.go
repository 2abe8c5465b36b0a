package main

import (
	"errors"

	gengo "google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/types/pluginpb"
)

// messages returns the content of each Go file that request asks for, by path
// relative to the folder compiled.
func messages(request *pluginpb.CodeGeneratorRequest) (map[string]string, error) {
	plugin, err := protogen.Options{}.New(request)
	if err != nil {
		return nil, err
	}
	plugin.SupportedFeatures = gengo.SupportedFeatures
	for _, file := range plugin.Files {
		if file.Generate {
			gengo.GenerateFile(plugin, file)
		}
	}
	response := plugin.Response()
	if response.Error != nil {
		return nil, errors.New(response.GetError())
	}
	outputs := map[string]string{}
	for _, file := range response.File {
		outputs[file.GetName()] = file.GetContent()
	}
	return outputs, nil
}
