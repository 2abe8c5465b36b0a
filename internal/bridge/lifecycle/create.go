package lifecycle

import "context"

// Create makes a resource, or says what it would be. An [*InitFailedError]
// holds the resource that there is in spite of the failure; after an
// [*UnknownOutcomeError] there may be one. Otherwise an error says that there
// is none.
func (p *Provider) Create(ctx context.Context, req CreateRequest) (CreateResponse, error) {
	s, err := p.subject(req.Resource)
	if err != nil {
		return CreateResponse{}, err
	}
	in, err := s.createIntent(req.Inputs)
	if err != nil {
		return CreateResponse{}, err
	}
	in.timeout, in.preview = req.Timeout, req.Preview
	after, err := s.reach(ctx, in)
	switch {
	case after.value.IsNull():
		return CreateResponse{}, err
	case req.Preview:
		return CreateResponse{Outputs: s.properties(after, req.Inputs)}, err
	}
	id, outputs, err := s.keep(after, req.Inputs, err)
	return CreateResponse{ID: id, Outputs: outputs}, err
}
