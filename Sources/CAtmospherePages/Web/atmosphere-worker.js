/**
 * Lets pages of `atmosphere.js` open while the gateway does not answer: their own files come from the network where it answers, and
 * else as they were last. Answers of the API (`/v1/`), addresses with a token and Studio's files are not touched.
 */

const cacheName = "atmosphere-pages";
const largest = 8 << 20;
const patience = 4000;

const isOurs = url => url.origin === location.origin && !/^\/(v1|studio)(\/|$)/.test(url.pathname)
  && !url.searchParams.has("token");

addEventListener("install", event => {
  skipWaiting();
  // Where the browser knows such routes, questions to the API do not wait for this worker.
  const routes = ["/v1{/*}?", "/studio{/*}?"].map(urlPattern => ({ condition: { urlPattern }, source: "network" }));
  event.waitUntil((async () => event.addRoutes?.(routes))().catch(() => {}));
});
addEventListener("activate", event => event.waitUntil(clients.claim()));

// A page tells which files it has loaded, some before this worker was there, and again when the gateway has come back.
addEventListener("message", event => {
  const addresses = [...new Set(event.data?.keep ?? [])].map(text => new URL(text)).filter(isOurs);
  event.waitUntil(Promise.all(addresses.map(url => keep(url).catch(() => {}))));
});

/** What is here came through this worker, and is as new as the page. */
async function keep(url) {
  const request = new Request(url.href.split("#")[0]), cache = await caches.open(cacheName);
  if (!await cache.match(request)) await fetched(request);
}

addEventListener("fetch", event => {
  const { request } = event;
  if (request.method !== "GET" || !isOurs(new URL(request.url)) || request.headers.has("Range")) return;
  event.respondWith(answer(event));
});

/** The network's answer; the kept one where there is none, none in time, or one that does not let this browser in. */
async function answer(event) {
  const { request } = event;
  const fresh = fetched(request);
  event.waitUntil(fresh.catch(() => {}));
  const kept = await (await caches.open(cacheName)).match(request, { ignoreSearch: request.mode === "navigate" });
  if (!kept) return fresh;
  const late = new Promise(resolve => setTimeout(resolve, patience, kept));
  const fromNetwork = fresh.then(answer => answer.status === 401 || answer.status >= 500 ? kept : answer, () => kept);
  return Promise.race([fromNetwork, late]);
}

/** Asks the network, and keeps what comes. */
async function fetched(request) {
  const answer = await fetch(request);
  const cache = await caches.open(cacheName);
  if (answer.status === 404 || answer.status === 410) await cache.delete(request);
  const isKept = answer.status === 200 && answer.type === "basic" && !answer.redirected
    && Number(answer.headers.get("Content-Length") ?? 0) <= largest;
  // Where there is no room for it the page is shown all the same.
  if (isKept) await cache.put(request, answer.clone()).catch(() => {});
  return answer;
}
