package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	neturl "net/url"
	"os"
)

// unlistedInventory writes an inventory of what the demo's provider cannot
// list, as a user would make one from a database: from the estate's own API.
func unlistedInventory(ctx context.Context, url string) (string, error) {
	f, err := os.CreateTemp("", "formation-demo-*.jsonl")
	if err != nil {
		return "", err
	}
	enc := json.NewEncoder(f)
	for kind, typeName := range map[string]string{"dns_records": "estate_dns_record", "db_users": "estate_db_user"} {
		ids, err := estateIDs(ctx, url, kind)
		if err != nil {
			return "", errors.Join(err, f.Close())
		}
		for _, id := range ids {
			if err := enc.Encode(map[string]string{"type": typeName, "id": id}); err != nil {
				return "", errors.Join(err, f.Close())
			}
		}
	}
	return f.Name(), f.Close()
}

// estateIDs lists the ids of one kind, page by page.
func estateIDs(ctx context.Context, url, kind string) ([]string, error) {
	var out []string
	for address := url + "/v1/" + kind; ; {
		page, err := getPage(ctx, address)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			out = append(out, item.ID)
		}
		if page.Next == "" {
			return out, nil
		}
		address = url + "/v1/" + kind + "?page_token=" + neturl.QueryEscape(page.Next)
	}
}

// estatePage is one page of the estate's list answers.
type estatePage struct {
	Items []struct {
		ID string `json:"id"`
	} `json:"items"`
	Next string `json:"next_page_token"`
}

func getPage(ctx context.Context, address string) (page estatePage, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return page, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return page, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if resp.StatusCode != http.StatusOK {
		return page, fmt.Errorf("GET %s: %s", address, resp.Status)
	}
	return page, json.NewDecoder(resp.Body).Decode(&page)
}
