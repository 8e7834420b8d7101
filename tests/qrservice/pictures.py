"""Images of codes as grey pixels, and reading them with two libraries."""

import cv2
import numpy as np
import pypdfium2
import resvg_py
import zxingcpp

from tests import decoder

PIXELS_FOR_OPENCV = 4  # a module, below which OpenCV's reader is not to be relied upon

# Base addresses as an operator may have them: short, long, and with a path, which is case-sensitive.
BASES = {
    "a machine of one's own": "http://127.0.0.1:8000",
    "a domain": "https://qr.example.com",
    "a long domain": "https://orders.a-restaurant.example.com",
    "a long domain with a path": "https://orders.some-long-restaurant-name.example.com/venue/in/town",
}


def from_svg(svg: bytes, edge: int) -> np.ndarray:
    """As resvg draws it, which is what many programs use."""
    return decoder.picture(resvg_py.svg_to_bytes(svg_string=svg.decode(), width=edge, height=edge, dpi=96))


def from_pdf(pdf: bytes, edge: int) -> np.ndarray:
    """The only page, as PDFium draws it, which is what Chromium uses."""
    document = pypdfium2.PdfDocument(pdf)
    assert len(document) == 1
    page = document[0]
    drawn = page.render(scale=edge / page.get_width(), grayscale=True).to_numpy()
    return np.ascontiguousarray(drawn.reshape(drawn.shape[:2]))


def symbol(image: np.ndarray) -> tuple[np.ndarray, int]:
    """The picture less its quiet zone, and the narrowest side of that in pixels."""
    dark = np.argwhere(image < 128)
    (top, left), (bottom, right) = dark.min(axis=0), dark.max(axis=0) + 1
    margin = min(top, left, image.shape[0] - bottom, image.shape[1] - right)
    return image[top:bottom, left:right], int(margin)


def read(image: np.ndarray) -> str | None:
    """What zxing-cpp reads."""
    found = zxingcpp.read_barcode(image)
    return found.text if found else None


def level(image: np.ndarray) -> str:
    """The level of error correction that the symbol claims: L, M, Q or H."""
    return zxingcpp.read_barcode(image).ec_level


def module_count(image: np.ndarray) -> int:
    """The edge of the symbol, by the version that it claims."""
    return 17 + 4 * int(zxingcpp.read_barcode(image).extra["Version"])


def assert_says(image: np.ndarray, text: str) -> None:
    """Both readers read the text; OpenCV's where it can be expected to."""
    assert read(image) == text
    pixels = min(image.shape[0], decoder.NEAR_ENOUGH) / (module_count(image) + 8)
    if pixels >= PIXELS_FOR_OPENCV:
        assert decoder.read(image) == text


def shrunk(image: np.ndarray, edge: int) -> np.ndarray:
    return cv2.resize(image, (edge, edge), interpolation=cv2.INTER_AREA)


def blurred(image: np.ndarray, sigma: float) -> np.ndarray:
    return cv2.GaussianBlur(image, (0, 0), sigma)


def rotated(image: np.ndarray, degrees: float) -> np.ndarray:
    """On white, and smaller, so that no corner is lost."""
    edge = image.shape[0]
    matrix = cv2.getRotationMatrix2D((edge / 2, edge / 2), degrees, 0.7)
    return cv2.warpAffine(image, matrix, (edge, edge), borderValue=255)


def seen_from_the_side(image: np.ndarray) -> np.ndarray:
    """As a phone sees a code that lies on the table: the far edge is a fifth shorter."""
    edge = image.shape[0]
    corners = np.float32([[0, 0], [edge, 0], [edge, edge], [0, edge]])
    seen = np.float32([[edge * 0.1, edge * 0.2], [edge * 0.9, edge * 0.2], [edge, edge], [0, edge]])
    return cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, seen), (edge, edge), borderValue=255)
