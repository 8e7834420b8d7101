"""An independent reader of QR codes: OpenCV's, which had no part in writing them."""

import cv2
import numpy as np

NEAR_ENOUGH = 600  # pixels; OpenCV's reader misses some very large symbols, as a phone held too close would


def picture(png: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)


def read(image: np.ndarray) -> str:
    """The text of the code in a grey picture, or the empty string."""
    if max(image.shape) > NEAR_ENOUGH:
        scale = NEAR_ENOUGH / max(image.shape)
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.QRCodeDetectorAruco().detectAndDecode(image)[0]
