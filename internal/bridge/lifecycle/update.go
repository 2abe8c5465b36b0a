package lifecycle

import "context"

// Update changes a resource, or says what it would become. An
// [*InitFailedError] holds what became of it; an [*UnknownOutcomeError] says
// that nobody knows. After any other error it is as before.
func (p *Provider) Update(ctx context.Context, req UpdateRequest) (UpdateResponse, error) {
	s, err := p.subject(req.Resource)
	if err != nil {
		return UpdateResponse{}, err
	}
	in, err := s.updateIntent(ctx, req.Olds, req.News, req.IgnoreChanges)
	if err != nil {
		return UpdateResponse{}, err
	}
	in.timeout, in.preview = req.Timeout, req.Preview
	after, err := s.reach(ctx, in)
	switch {
	case after.value.IsNull():
		return UpdateResponse{}, err
	case req.Preview:
		return UpdateResponse{Outputs: s.properties(after, req.News)}, err
	}
	_, outputs, err := s.keep(after, req.News, err)
	return UpdateResponse{Outputs: outputs}, err
}
