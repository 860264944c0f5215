"""Arrays as tests name them."""

import numpy as np
import numpy.typing as npt

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Float32 = npt.NDArray[np.float32]
