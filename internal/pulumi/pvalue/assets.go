package pvalue

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	"google.golang.org/protobuf/types/known/structpb"
)

// decodeAsset decodes {hash?, text? or path? or uri?}. One without contents
// has them elided, or is the empty text.
func decodeAsset(message fields) (*asset.Asset, error) {
	texts, err := texts(message, "hash", "text", "path", "uri")
	if err != nil {
		return nil, fmt.Errorf("an asset's %w", err)
	}
	return &asset.Asset{Sig: sig.AssetSig, Hash: texts[0], Text: texts[1], Path: texts[2], URI: texts[3]}, nil
}

// decodeArchive decodes {hash?, assets? or path? or uri?}. One without
// contents has them elided, or is empty.
func decodeArchive(message fields, depth int) (*archive.Archive, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	texts, err := texts(message, "hash", "path", "uri")
	if err != nil {
		return nil, fmt.Errorf("an archive's %w", err)
	}
	out := &archive.Archive{Sig: sig.ArchiveSig, Hash: texts[0], Path: texts[1], URI: texts[2]}
	if out.Path != "" || out.URI != "" {
		return out, nil
	}
	members := message["assets"].GetStructValue()
	if members == nil && message["assets"] != nil {
		return nil, errors.New("an archive's assets are no object")
	}
	out.Assets = make(map[string]any, len(members.GetFields()))
	for name, member := range members.GetFields() {
		decoded, err := decodeMember(member.GetStructValue().GetFields(), depth+1)
		if err != nil {
			return nil, err
		}
		out.Assets[name] = decoded
	}
	return out, nil
}

// decodeMember decodes an asset or an archive inside an archive.
func decodeMember(message fields, depth int) (any, error) {
	switch message[sig.Key].GetStringValue() {
	case sig.AssetSig:
		return decodeAsset(message)
	case sig.ArchiveSig:
		return decodeArchive(message, depth)
	}
	return nil, errors.New("an archive holds something that is neither an asset nor an archive")
}

func (e *encoder) asset(a *asset.Asset) (*structpb.Value, error) {
	return e.signed(sig.AssetSig, map[string]string{"hash": a.Hash, "text": a.Text, "path": a.Path, "uri": a.URI})
}

func (e *encoder) archive(a *archive.Archive, depth int) (*structpb.Value, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	out, err := e.signed(sig.ArchiveSig, map[string]string{"hash": a.Hash, "path": a.Path, "uri": a.URI})
	if err != nil || a.Assets == nil {
		return out, err
	}
	members := make(fields, len(a.Assets))
	for name, member := range a.Assets {
		if err := checkText(name); err != nil {
			return nil, err
		}
		if members[name], err = e.member(member, depth+1); err != nil {
			return nil, err
		}
	}
	out.GetStructValue().Fields["assets"] = object(members)
	return out, nil
}

func (e *encoder) member(member any, depth int) (*structpb.Value, error) {
	switch m := member.(type) {
	case *asset.Asset:
		return e.asset(m)
	case *archive.Archive:
		return e.archive(m, depth)
	}
	return nil, errors.New("an archive holds something that is neither an asset nor an archive")
}
