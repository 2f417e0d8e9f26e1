# The child must end with the script.
sleep 60 &
wait
