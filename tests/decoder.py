"""An independent reader of QR codes: OpenCV's, which had no part in writing them."""

import cv2
import numpy as np

NEAR_ENOUGH = 600  # pixels; OpenCV's reader misses some very large symbols, as a phone held too close would


def picture(png: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)


def read(image: np.ndarray) -> str:
    """The text of the code in a grey picture, or the empty string."""
    return read_and_measure(image)[0]


def read_and_measure(image: np.ndarray) -> tuple[str, float]:
    """And the code's edge in pixels, without its quiet zone."""
    scale = min(1, NEAR_ENOUGH / max(image.shape))
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    text, corners, _symbol = cv2.QRCodeDetectorAruco().detectAndDecode(image)
    return text, float(np.ptp(corners[0, :, 0])) / scale if text else 0
