// Ends with 0 while /ready of the server in this container answers 200.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 8080}/ready`, { signal: AbortSignal.timeout(4000) }).catch(() => null);
process.exit(answer?.status === 200 ? 0 : 1);
