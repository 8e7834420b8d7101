"""A translation service, which speaks as DeepL and as LibreTranslate do."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Translator:
    """`Soup` is `Soup in DE`. `answer` is a status and a body instead; `meanwhile` is called before."""

    def __init__(self) -> None:
        self.received: list[tuple[str, dict, dict]] = []  # path, headers, body
        self.answer: tuple[int, bytes] | None = None
        self.meanwhile: Callable[[], object] = lambda: None
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.received.append((self.path, dict(self.headers), body))
                service.meanwhile()
                status, answer = service.answer or (200, json.dumps(service.translated(body)).encode())
                self.send_response(status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.handle_error = lambda *_who: None  # type: ignore[method-assign]  # who does not wait
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def translated(self, body: dict) -> dict:
        if "q" in body:
            return {"translatedText": [f"{text} in {body['target']}" for text in body["q"]]}
        return {"translations": [{"text": f"{text} in {body['target_lang']}"} for text in body["text"]]}

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
