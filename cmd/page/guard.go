package page

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// policy allows the page its own files and nothing else: no inline script or style, no
// other host, no frame around it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guarded refuses what the page would never ask, before anything looks at it.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case !s.named(r.Host):
			refuse(w, http.StatusForbidden, "this name of a host is not the page's: open it as 127.0.0.1 or localhost, or allow the name with --host-name")
		case !sameOrigin(r):
			refuse(w, http.StatusForbidden, "the question comes from another page")
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "accepted are GET and HEAD")
		case len(r.URL.RawQuery) > mostQuery:
			refuse(w, http.StatusRequestURITooLong, "too long a question")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func refuse(w http.ResponseWriter, status int, why string) {
	send(w, status, map[string]string{"error": why})
}

// named tells whether a request's Host is a name of this machine that no one else can
// point here: localhost, an address of the loopback, or what was allowed. The port may be
// another one, of who forwards it.
func (s *Server) named(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"))
	if ip := net.ParseIP(name); ip != nil {
		return ip.IsLoopback() || s.AnyIP
	}
	return name == "localhost" || slices.ContainsFunc(s.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// sameOrigin tells whether a request comes from the page itself, or from the address bar.
// Other pages may lead here, but not ask.
func sameOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host != r.Host || u.Scheme != "http" && u.Scheme != "https" {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.URL.Path == "/"
	}
	return true
}
